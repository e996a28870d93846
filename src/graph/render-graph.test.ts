import { expect, it } from "vitest";
import { type DrawnGraph, graphDot, graphMermaid, graphText } from "./render-graph.ts";

const graph: DrawnGraph = {
  nodes: [
    { key: "web", label: 'Deployment "web"', group: "shop", color: "green" },
    { key: "ns", label: "Namespace shop", group: "", color: "none" },
  ],
  edges: [{ from: "web", to: "ns", reason: "it is in the namespace shop", soft: false }],
};

it("as text", () => {
  expect(graphText(graph, ["ns", "web"])).toBe(
    'Namespace shop\nDeployment "web" (ready)\n  needs Namespace shop: it is in the namespace shop\n',
  );
});

it("as text, with the groups of nodes that are called the same", () => {
  const nodes = ["a", "b", ""].map((group) => ({
    key: `settings-${group}`,
    label: "ConfigMap settings",
    group,
    color: "none" as const,
  }));
  const edges = [{ from: "settings-b", to: "settings-a", reason: "it says so", soft: false }];
  expect(graphText({ nodes, edges }, ["settings-", "settings-a", "settings-b"])).toBe(
    "ConfigMap settings\nConfigMap settings in a\nConfigMap settings in b\n  needs ConfigMap settings in a: it says so\n",
  );
});

it("for Mermaid", () => {
  expect(graphMermaid(graph)).toBe(
    'flowchart RL\n  subgraph g0["shop"]\n    n0["Deployment #quot;web#quot;"]\n  end\n    n1["Namespace shop"]\n  n0 --> n1\n  style n0 fill:#d3f0d8\n',
  );
});

it("for Graphviz", () => {
  const dot = graphDot(graph);
  expect(dot).toContain('n0 [label="Deployment \\"web\\"", fillcolor="#d3f0d8"];');
  expect(dot).toContain('n0 -> n1 [tooltip="it is in the namespace shop"];');
});
