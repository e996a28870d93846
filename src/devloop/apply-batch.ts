import { applyGroup } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import type { RunEvent } from "../events/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import { identityKey, identityOf, type SourcedObject } from "../objects/index.ts";
import type { OrderedComponent, Plan } from "../plan/index.ts";
import type { DesiredComponents } from "./dev-source.ts";

/** A component as far as one apply is concerned. */
export interface BatchMember {
  readonly name: string;
  readonly comesFirst: boolean;
  readonly objects: readonly SourcedObject[];
  /** Whether it is to be updated; the others are there to be left as they are. */
  readonly isUpdated: boolean;
}

export interface ApplyBatchOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  readonly desired: DesiredComponents;
  readonly members: readonly BatchMember[];
  /** Identity keys of what is wished for and not part of this batch. */
  readonly kept: ReadonlySet<string>;
  readonly holder: string;
  readonly emit: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/** What became of the components of a batch; what is in neither has been applied. */
export interface BatchEnd {
  readonly failures: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Components that were left out, with the images that must be built before. */
  readonly unbuilt: ReadonlyMap<string, ReadonlySet<string>>;
}

const timeoutMs = 15 * 60_000;

/**
 * Applies components as one inventory. Those whose images must be built first are left out: they hold
 * nobody up.
 */
export async function applyBatch(options: ApplyBatchOptions): Promise<BatchEnd> {
  const failures = new Map<string, readonly Diagnostic[]>();
  const unbuilt = new Map<string, ReadonlySet<string>>();
  // Each round leaves out one component at least.
  for (;;) {
    const members = options.members.filter(({ name }) => !unbuilt.has(name));
    const waiting = options.members.filter(({ name }) => unbuilt.has(name));
    // What is not built yet stays as it is.
    const kept = new Set([...options.kept, ...waiting.flatMap(keysOf)]);
    try {
      await applyOnce({ ...options, members, kept }, failures);
      return { failures, unbuilt };
    } catch (error) {
      if (!(error instanceof BuildsFirst)) throw error;
      for (const [name, images] of error.unbuilt) unbuilt.set(name, images);
      const isLeft = members.some(({ name, isUpdated }) => isUpdated && !unbuilt.has(name));
      if (!isLeft && !error.prunes) return { failures, unbuilt };
    }
  }
}

/** Ends a run before anything of it was written. */
class BuildsFirst extends Error {
  readonly unbuilt: ReadonlyMap<string, ReadonlySet<string>>;
  readonly prunes: boolean;

  constructor(unbuilt: ReadonlyMap<string, ReadonlySet<string>>, prunes: boolean) {
    super("images must be built first");
    this.unbuilt = unbuilt;
    this.prunes = prunes;
  }
}

async function applyOnce(
  options: ApplyBatchOptions,
  failures: Map<string, readonly Diagnostic[]>,
): Promise<void> {
  const { cluster, group, desired, members, kept, signal } = options;
  const { whole } = desired;
  await applyGroup({
    cluster,
    group,
    desired:
      whole === undefined
        ? members.flatMap(({ objects }) => objects)
        : whole.program.desired.objects,
    components: whole?.order ?? members.map(orderOf),
    program: whole?.program,
    keeps: (key) => kept.has(key),
    policy: "strict",
    manager: "keelson",
    forceConflicts: false,
    reconcileTimeoutMs: timeoutMs,
    pruneTimeoutMs: timeoutMs,
    propagationPolicy: "Background",
    waits: false,
    dryRun: false,
    holder: options.holder,
    command: "up",
    leaseWaitMs: timeoutMs,
    signal,
    emit: (event) => {
      noteFailure(event, failures);
      options.emit(event);
    },
    acceptPlan: (plan) => {
      requireImages(options, plan);
      return Promise.resolve();
    },
  });
}

function requireImages({ desired, members }: ApplyBatchOptions, plan: Plan): void {
  const unbuilt = new Map(
    members
      .filter(({ isUpdated }) => isUpdated)
      .map(({ name }) => [name, desired.imagesFor(plan, name)] as const)
      .filter(([, images]) => images.size > 0),
  );
  const prunes = [...plan.nodes.values()].some(({ action }) => action === "delete");
  if (unbuilt.size > 0) throw new BuildsFirst(unbuilt, prunes);
}

/** A write that failed is told as an event, by its component. */
function noteFailure(event: RunEvent, failures: Map<string, readonly Diagnostic[]>): void {
  if (event.type !== "apply" || event.component === undefined) return;
  if (event.status !== "failed" && event.status !== "skipped") return;
  const summary = event.message ?? `${event.object.kind} ${event.object.name} was not applied`;
  failures.set(event.component, [{ code: "devloop.update", severity: "error", summary }]);
}

function orderOf({ name, comesFirst, objects }: BatchMember): OrderedComponent {
  return { name, members: keysOf({ objects }), dependsOn: [], comesFirst };
}

function keysOf({ objects }: { readonly objects: readonly SourcedObject[] }): readonly string[] {
  return objects.map(({ object }) => identityKey(identityOf(object)));
}
