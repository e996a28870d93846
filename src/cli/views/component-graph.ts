import type { Component } from "../../assembly/index.ts";
import type { DrawnGraph, DrawnNode } from "../../graph/index.ts";

/** Components as groups of their objects; what a component waits for is drawn from its workload. */
export function componentGraph(components: readonly Component[]): DrawnGraph {
  const drawn = components.map((component) => ({ component, nodes: nodesOf(component) }));
  const heads = new Map(
    drawn.map(({ component, nodes }) => [component.name, headOf(component, nodes)]),
  );
  return {
    nodes: drawn.flatMap(({ nodes }) => nodes),
    edges: components.flatMap(({ name, dependsOn }) =>
      dependsOn.flatMap((needed) => {
        const [from, to] = [heads.get(name), heads.get(needed)];
        if (from === undefined || to === undefined) return [];
        return [{ from, to, reason: `${name} waits for ${needed}`, soft: false }];
      }),
    ),
  };
}

function nodesOf({ name, kind, workload, objects }: Component): readonly DrawnNode[] {
  if (objects.length === 0)
    return [{ key: keyOf(name, 0), label: kind, group: name, color: "none" }];
  return objects.map((given, index) => ({
    key: keyOf(name, index),
    label: `${given.object.kind} ${given.object.metadata.name ?? given.object.metadata.generateName ?? ""}`,
    group: name,
    color: given === workload ? "green" : "none",
  }));
}

function headOf({ workload, objects }: Component, nodes: readonly DrawnNode[]): string | undefined {
  const index = objects.findIndex((given) => given === workload);
  return nodes[Math.max(0, index)]?.key;
}

function keyOf(name: string, index: number): string {
  return `${name}\u0000${index}`;
}
