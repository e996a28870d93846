import {
  hasOpenContents,
  hasOpenHoles,
  type Plan,
  type PlanNode,
  type ProgramDesired,
} from "../plan/index.ts";
import type { DesiredGroup } from "./group-options.ts";

/**
 * The resources that cannot be applied together with the others: objects named after contents which
 * are known only once others have been applied, and all that waits for these objects.
 */
export function laterResources(
  { nodes, graph }: Plan,
  { keyOf }: ProgramDesired,
): ReadonlySet<string> {
  const later = new Set<string>();
  const unnamed = [...nodes].filter(([, node]) => isUnnamed(node));
  const keys = unnamed.map(([key]) => key);
  for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
    if (later.has(key)) continue;
    later.add(key);
    // What is pruned waits for nobody's name.
    for (const { from } of graph.dependentsOf(key))
      if (nodes.get(from)?.kind !== "prune") keys.push(from);
  }
  return new Set([...keyOf].filter(([, key]) => later.has(key)).map(([resource]) => resource));
}

/** Whether a change makes another object of it, and nobody knows yet whether there is one. */
export function isUnnamed(node: PlanNode): boolean {
  if (node.kind !== "apply" || !hasOpenHoles(node) || node.action === "skip") return false;
  const { objectName, inputs } = node.resource ?? {};
  if (objectName === undefined || !hasOpenContents(inputs)) return false;
  return (
    objectName.naming === "contentsHash" ||
    (objectName.naming === "random" && node.live !== undefined)
  );
}

/** Says of what is there and may get another name that it may. */
export function withOpenNames(plan: Plan): Plan {
  const nodes = [...plan.nodes].map(([key, node]): readonly [string, PlanNode] =>
    isUnnamed(node) && node.live !== undefined
      ? [key, { ...node, message: "a new object takes its place if its contents change" }]
      : [key, node],
  );
  return { ...plan, nodes: new Map(nodes) };
}

/** The desired state without some resources of its program. */
export function withoutResources(group: DesiredGroup, without: ReadonlySet<string>): DesiredGroup {
  const { program, components } = group;
  if (program === undefined) return group;
  const desired = reduced(program.desired, without);
  const kept = new Set(desired.keyOf.values());
  return {
    ...group,
    objects: desired.objects,
    program: {
      ...program,
      desired,
      desiredAs: (names) => reduced(program.desiredAs(names), without),
    },
    components: components.map((component) => ({
      ...component,
      members: component.members.filter((key) => kept.has(key)),
    })),
  };
}

function reduced(whole: ProgramDesired, without: ReadonlySet<string>): ProgramDesired {
  const keyOf = new Map([...whole.keyOf].filter(([resource]) => !without.has(resource)));
  const kept = new Set(keyOf.values());
  const isKept = ([key]: readonly [string, unknown]): boolean => kept.has(key);
  const byKey = new Map([...whole.byKey].filter(isKept));
  const objects = new Set(byKey.values());
  return {
    objects: whole.objects.filter(({ object }) => objects.has(object)),
    byKey,
    resources: new Map([...whole.resources].filter(isKept)),
    keyOf,
    edges: whole.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
    barriers: new Map([...whole.barriers].filter(isKept)),
  };
}
