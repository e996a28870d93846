import type { Edge } from "../graph/index.ts";
import {
  type HelmHook,
  helmHookOf,
  identityKey,
  identityOf,
  type SourcedObject,
} from "../objects/index.ts";

/** Objects that were given together, with Helm hooks among them. */
export interface Chart {
  readonly hooks: readonly ChartHook[];
  /** Identity keys of what is no hook. */
  readonly others: readonly string[];
  /** Those of the others that hooks may need: definitions and namespaces. */
  readonly first: readonly string[];
  /** Whether it is there already, so that an apply is an upgrade. */
  readonly isInstalled: boolean;
}

export interface ChartHook {
  readonly key: string;
  readonly hook: HelmHook;
  /** The event for whose sake it runs in this apply, if any. */
  readonly event: string | undefined;
  readonly phase: "pre" | "post";
}

/** What is known of the objects of a chart, by identity key. */
export interface KnownObjects {
  readonly isOwned: (key: string) => boolean;
  readonly isLive: (key: string) => boolean;
}

/** The charts with hooks among desired objects. Without a cluster they are taken for new ones. */
export function chartsOf(
  desired: readonly SourcedObject[],
  known: KnownObjects = { isOwned: () => false, isLive: () => false },
): readonly Chart[] {
  if (!desired.some(({ object }) => helmHookOf(object) !== undefined)) return [];
  const given = Map.groupBy(desired, ({ givenWith = "" }) => givenWith);
  return [...given.values()].flatMap((objects) => chartOf(objects, known));
}

function chartOf(
  objects: readonly SourcedObject[],
  { isOwned, isLive }: KnownObjects,
): readonly Chart[] {
  const found = objects.map(({ object }) => ({
    key: identityKey(identityOf(object)),
    kind: object.kind,
    hook: helmHookOf(object),
  }));
  const plain = found.filter(({ hook }) => hook === undefined);
  const others = plain.filter(({ kind }) => !firstKinds.has(kind)).map(({ key }) => key);
  const isInstalled =
    others.some((key) => isOwned(key) && isLive(key)) ||
    // Objects of a release that are about to be adopted.
    (others.length > 0 && others.every(isLive));
  const hooks = found.flatMap(({ key, hook }) =>
    hook === undefined ? [] : [{ key, hook, ...momentOf(hook, isInstalled) }],
  );
  if (hooks.length === 0) return [];
  const first = plain.filter(({ kind }) => firstKinds.has(kind)).map(({ key }) => key);
  return [{ hooks, others, first, isInstalled }];
}

const firstKinds = new Set(["CustomResourceDefinition", "Namespace"]);

/** When a hook runs; the same hook may run after an install and before an upgrade. */
function momentOf({ events }: HelmHook, isInstalled: boolean): Pick<ChartHook, "event" | "phase"> {
  const moment = isInstalled ? "upgrade" : "install";
  const event = events.find((each) => each === `pre-${moment}` || each === `post-${moment}`);
  const any = event ?? events.find((each) => /^(?:pre|post)-(?:install|upgrade)$/.test(each));
  return { event, phase: any?.startsWith("pre-") === true ? "pre" : "post" };
}

/** Hooks run one weight after the other, before and after everything else of their chart. */
export function hookEdges(charts: readonly Chart[]): readonly Edge[] {
  return charts.flatMap(({ hooks, others, first }) => {
    const before = byWeight(hooks, "pre");
    const after = byWeight(hooks, "post");
    const reason = (word: string): string => `Helm hooks run ${word}`;
    return [
      ...edges(before[0] ?? [], first, reason("after definitions and namespaces")),
      ...inOrder(before, reason("by their weights")),
      ...edges(others, before.at(-1) ?? [], reason("before everything else of their chart")),
      ...edges(after[0] ?? [], [...others, ...(before.at(-1) ?? [])], reason("after it")),
      ...inOrder(after, reason("by their weights")),
    ];
  });
}

function byWeight(
  hooks: readonly ChartHook[],
  phase: ChartHook["phase"],
): readonly (readonly string[])[] {
  const own = hooks.filter((each) => each.phase === phase);
  const weights = Map.groupBy(own, ({ hook }) => hook.weight);
  return [...weights]
    .sort(([one], [other]) => one - other)
    .map(([, same]) => same.map(({ key }) => key));
}

function inOrder(steps: readonly (readonly string[])[], reason: string): readonly Edge[] {
  return steps.slice(1).flatMap((step, index) => edges(step, steps[index] ?? [], reason));
}

function edges(from: readonly string[], to: readonly string[], reason: string): readonly Edge[] {
  return from.flatMap((one) => to.map((other) => ({ from: one, to: other, reason })));
}
