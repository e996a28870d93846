/** A graph as it is drawn: nodes with labels, groups and colours, edges with reasons. */
export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly reason: string;
    readonly soft: boolean;
  }[];
}

export interface DrawnNode {
  readonly key: string;
  readonly label: string;
  /** Nodes of one group are drawn together. */
  readonly group: string;
  readonly color: "none" | "green" | "yellow" | "red" | "grey";
}

/** Every node with what it waits for, in an order in which they could be applied. */
export function graphText({ nodes, edges }: DrawnGraph, order: readonly string[]): string {
  const alike = Map.groupBy(nodes, ({ label }) => label);
  const labels = new Map(
    nodes.map(({ key, label, group }) => [
      key,
      group !== "" && (alike.get(label)?.length ?? 0) > 1 ? `${label} in ${group}` : label,
    ]),
  );
  const words = new Map(nodes.map(({ key, color }) => [key, wordsOf[color]]));
  const edgesOf = Map.groupBy(edges, ({ from }) => from);
  const lines: string[] = [];
  for (const key of order) {
    lines.push(`${labels.get(key) ?? key}${words.get(key) ?? ""}`);
    for (const { to, reason, soft } of edgesOf.get(key) ?? []) {
      lines.push(`  ${soft ? "after" : "needs"} ${labels.get(to) ?? to}: ${reason}`);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** What the colours of a picture mean. */
const wordsOf = {
  none: "",
  green: " (ready)",
  yellow: " (in progress)",
  red: " (failed)",
  grey: " (not there)",
};

const fills = {
  none: "#ffffff",
  green: "#d3f0d8",
  yellow: "#fdf0c2",
  red: "#f8d0d0",
  grey: "#e8e8e8",
};

/** The language of Graphviz. */
export function graphDot({ nodes, edges }: DrawnGraph): string {
  const ids = idsOf(nodes);
  const lines = [
    "digraph keelson {",
    '  rankdir="RL";',
    '  node [shape="box", style="rounded,filled", fontname="sans-serif", fontsize="11", margin="0.22,0.1"];',
    '  edge [fontname="sans-serif", fontsize="9", color="#777777"];',
  ];
  for (const [index, [group, members]] of [...Map.groupBy(nodes, (node) => node.group)].entries()) {
    if (group !== "")
      lines.push(
        `  subgraph "cluster_${index}" {`,
        `    label=${quote(group)}; color="#bbbbbb"; fontname="sans-serif"; fontsize="10";`,
      );
    for (const { key, label, color } of members)
      lines.push(`    ${ids.get(key) ?? ""} [label=${quote(label)}, fillcolor="${fills[color]}"];`);
    if (group !== "") lines.push("  }");
  }
  for (const { from, to, reason, soft } of edges) {
    lines.push(
      `  ${ids.get(from) ?? ""} -> ${ids.get(to) ?? ""} [tooltip=${quote(reason)}${soft ? ', style="dashed"' : ""}];`,
    );
  }
  return `${lines.join("\n")}\n}\n`;
}

/** The language of Mermaid, which many pages draw. */
export function graphMermaid({ nodes, edges }: DrawnGraph): string {
  const ids = idsOf(nodes);
  const lines = ["flowchart RL"];
  for (const [index, [group, members]] of [...Map.groupBy(nodes, (node) => node.group)].entries()) {
    if (group !== "") lines.push(`  subgraph g${index}["${mermaidText(group)}"]`);
    for (const { key, label } of members)
      lines.push(`    ${ids.get(key) ?? ""}["${mermaidText(label)}"]`);
    if (group !== "") lines.push("  end");
  }
  for (const { from, to, soft } of edges)
    lines.push(`  ${ids.get(from) ?? ""} ${soft ? "-.->" : "-->"} ${ids.get(to) ?? ""}`);
  for (const { key, color } of nodes)
    if (color !== "none") lines.push(`  style ${ids.get(key) ?? ""} fill:${fills[color]}`);
  return `${lines.join("\n")}\n`;
}

function idsOf(nodes: readonly DrawnNode[]): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ key }, index) => [key, `n${index}`]));
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function mermaidText(text: string): string {
  return text.replaceAll('"', "#quot;");
}
