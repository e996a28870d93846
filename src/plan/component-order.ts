import type { Edge } from "../graph/index.ts";

/** Objects that belong together, as far as their order is concerned. */
export interface OrderedComponent {
  readonly name: string;
  /** Identity keys of its objects. */
  readonly members: readonly string[];
  /** Names of components whose objects must all be ready before those of this one begin. */
  readonly dependsOn: readonly string[];
  /** Whether all other components wait for this one, as long as nothing stands against it. */
  readonly comesFirst?: boolean;
}

export interface ComponentOrder {
  /** Nodes that stand for whole components: reached when all their members are ready. */
  readonly barriers: ReadonlyMap<string, string>;
  readonly edges: readonly Edge[];
}

/**
 * The edges between components. Each component that others wait for gets a node of its own, so that
 * there are as many edges as objects, not as pairs of them.
 */
export function componentOrder(
  components: readonly OrderedComponent[],
  known: readonly Edge[],
): ComponentOrder {
  const barriers = new Map<string, string>();
  const edges: Edge[] = [];
  const byName = new Map(components.map((component) => [component.name, component]));
  const awaited = new Set(components.flatMap(({ dependsOn }) => dependsOn));
  for (const { name, members, comesFirst } of components) {
    if (!awaited.has(name) && comesFirst !== true) continue;
    barriers.set(barrierKey(name), name);
    const isNeeded = awaited.has(name);
    // Who only comes first is not worth waiting for where nobody asked to wait.
    for (const to of isNeeded ? members : withoutOutsideNeeds(members, known))
      edges.push({ from: barrierKey(name), to, reason: `it belongs to ${name}`, soft: !isNeeded });
  }
  const first = components.filter(({ comesFirst }) => comesFirst === true);
  for (const { name, members, dependsOn } of components) {
    for (const from of members) {
      for (const needed of dependsOn)
        if (byName.has(needed))
          edges.push({ from, to: barrierKey(needed), reason: `${name} waits for ${needed}` });
      for (const other of first)
        if (other.name !== name)
          edges.push({
            from,
            to: barrierKey(other.name),
            reason: `${other.name} comes first`,
            soft: true,
          });
    }
  }
  return { barriers, edges };
}

function barrierKey(name: string): string {
  return `component ${name}`;
}

/** Who waits for objects elsewhere cannot come before all of them. */
function withoutOutsideNeeds(
  members: readonly string[],
  known: readonly Edge[],
): readonly string[] {
  const own = new Set(members);
  const needing = new Set(known.filter(({ to }) => !own.has(to)).map(({ from }) => from));
  return members.filter((member) => !needing.has(member));
}
