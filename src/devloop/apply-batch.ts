import { applyGroup, type Slots } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
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
  readonly slots: Slots;
  readonly holder: string;
  readonly emit: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/** What became of the components of a batch; what is in neither has been applied. */
export interface BatchEnd {
  readonly failures: ReadonlyMap<string, readonly Diagnostic[]>;
}

const timeoutMs = 15 * 60_000;

/**
 * Applies components as one inventory. The build of one that fails does not hold the others up: the
 * batch is planned anew without it.
 */
export async function applyBatch(options: ApplyBatchOptions): Promise<BatchEnd> {
  const failures = new Map<string, readonly Diagnostic[]>();
  for (;;) {
    const members = options.members.filter(({ name }) => !failures.has(name));
    const isLeft = members.some(({ isUpdated }) => isUpdated);
    const before = failures.size;
    if (before > 0 && !isLeft) return { failures };
    try {
      await applyOnce({ ...options, members }, failures);
      return { failures };
    } catch (error) {
      if (!(error instanceof BuildsFailed) || failures.size === before) throw error;
    }
  }
}

/** Ends a run before anything of it was written. */
class BuildsFailed extends Error {}

async function applyOnce(
  options: ApplyBatchOptions,
  failures: Map<string, readonly Diagnostic[]>,
): Promise<void> {
  const { cluster, group, desired, members, signal } = options;
  const { whole } = desired;
  const left = new Set(members.map(({ name }) => name));
  const kept = new Set([
    ...options.kept,
    // What could not be built stays as it is.
    ...options.members.filter(({ name }) => !left.has(name)).flatMap(keysOf),
    ...desired.components.filter(({ component }) => failures.has(component.name)).flatMap(keysOf),
  ]);
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
    acceptPlan: (plan) => buildAll(options, plan, failures),
  });
}

async function buildAll(
  { desired, members, slots, emit, signal }: ApplyBatchOptions,
  plan: Plan,
  failures: Map<string, readonly Diagnostic[]>,
): Promise<void> {
  const before = failures.size;
  const updated = members.filter(({ isUpdated }) => isUpdated);
  await Promise.all(
    updated.map(({ name }) =>
      slots.run(async () => {
        try {
          await desired.build(plan, name, { emit, signal });
        } catch (error) {
          if (!(error instanceof DiagnosticError)) throw error;
          failures.set(name, error.diagnostics);
        }
      }),
    ),
  );
  if (failures.size > before) throw new BuildsFailed();
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
