import type { Component, GivenObject } from "../../assembly/index.ts";
import type { TextStyle } from "../../diagnostics/index.ts";
import { counted } from "./counted.ts";

type Row = readonly [title: string, items: readonly string[]];

const narrowest = 40;

/** One block for each component: its objects by kind, its images, and what was said about it. */
export function componentLines(
  components: readonly Component[],
  effectiveNamespace: string,
  style: TextStyle,
  columns = 100,
): string {
  const blocks = components.map((component) => {
    const rows = rowsOf(component, effectiveNamespace);
    const width = Math.max(...rows.map(([title]) => title.length), 0);
    const note = noteOf(component);
    return [
      `${style.bold(component.name)}${note === "" ? "" : style.dim(`  ${note}`)}`,
      ...rows.flatMap(([title, items]) =>
        wrap(items, Math.max(narrowest, columns - width - 4)).map(
          (text, index) => `  ${style.dim((index === 0 ? title : "").padEnd(width))}  ${text}`,
        ),
      ),
    ]
      .map((line) => `${line}\n`)
      .join("");
  });
  return `${blocks.join("\n")}${blocks.length === 0 ? "" : "\n"}${style.dim(totals(components))}\n`;
}

function noteOf({ kind }: Component): string {
  switch (kind) {
    case "workload":
      return "";
    case "objects":
      return "objects without a workload";
    case "local":
      return "local";
    case "uncategorized":
      return "what goes with no single workload; applied first";
  }
}

function rowsOf(component: Component, effectiveNamespace: string): readonly Row[] {
  const { workload, objects, images } = component;
  const others = objects.filter((given) => given !== workload);
  const byKind = Map.groupBy(
    workload === undefined ? others : [workload, ...others],
    ({ object }) => object.kind,
  );
  const references = new Map(images.map(({ reference, build }) => [reference, build]));
  return [
    ...[...byKind].map(([kind, given]): Row => [
      kind,
      given.map((each) => nameOf(each, effectiveNamespace)),
    ]),
    ...[...references].map(([reference, build]): Row => [
      "image",
      [build === undefined ? reference : `${reference} (built as ${build})`],
    ]),
    ...optionRows(component),
  ];
}

function optionRows(component: Component): readonly Row[] {
  const { dependsOn, portForwards, extraPodSelectors, links, labels, triggerMode } = component;
  const ports = portForwards.map(({ host, localPort, containerPort, name }) => {
    const local = host === undefined ? String(localPort) : `${host}:${localPort}`;
    const named = name === undefined ? "" : ` (${name})`;
    return `${local} → ${containerPort ?? localPort}${named}`;
  });
  const selectors = extraPodSelectors.map((selector) =>
    Object.entries(selector)
      .map(([key, value]) => `${key}=${value}`)
      .join(","),
  );
  const urls = links.map(({ url, name }) => (name === undefined ? url : `${url} (${name})`));
  const rows: readonly Row[] = [
    ["waits for", dependsOn],
    ["ports", ports],
    ["pods", selectors.length === 0 ? [] : [selectors.join(" or ")]],
    ["links", urls],
    ["labels", labels],
    ["trigger", triggerMode === undefined ? [] : [triggerMode]],
    ["starts", component.autoInit ? [] : ["when asked"]],
  ];
  return rows.filter(([, items]) => items.length > 0);
}

/** Items in lines that are no longer than `width`, unless one alone is. */
function wrap(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const text = index === items.length - 1 ? item : `${item},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > width) lines.push(text);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}

/** The name, with the namespace only where it is not the usual one. */
function nameOf({ object }: GivenObject, effectiveNamespace: string): string {
  const { name, generateName, namespace = "" } = object.metadata;
  const own = name ?? `${generateName ?? ""}…`;
  return namespace === "" || namespace === effectiveNamespace ? own : `${namespace}/${own}`;
}

function totals(components: readonly Component[]): string {
  const objects = components.reduce((sum, component) => sum + component.objects.length, 0);
  const workloads = components.filter(({ kind }) => kind === "workload").length;
  return [
    counted(components.length, "component"),
    counted(workloads, "workload"),
    counted(objects, "object"),
  ].join(", ");
}
