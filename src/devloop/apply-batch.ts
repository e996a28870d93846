import { applyGroup } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import { refuseRenamed } from "../engine/index.ts";
import type { RunEvent } from "../events/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import { formatIdentity, identityKey, identityOf, type SourcedObject } from "../objects/index.ts";
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
 * Applies components as one inventory. Those whose images must be built first, and those with objects
 * that cannot be applied at all, are left out: they hold nobody up.
 */
export async function applyBatch(options: ApplyBatchOptions): Promise<BatchEnd> {
  const failures = new Map<string, readonly Diagnostic[]>();
  const unbuilt = new Map<string, ReadonlySet<string>>();
  // Each round leaves out one component at least.
  for (;;) {
    const isOut = ({ name }: BatchMember): boolean => unbuilt.has(name) || failures.has(name);
    const members = options.members.filter((member) => !isOut(member));
    // What is left out stays as it is.
    const kept = new Set([...options.kept, ...options.members.filter(isOut).flatMap(keysOf)]);
    const written = new Map<string, readonly Diagnostic[]>();
    let prunes = false;
    try {
      await applyOnce({ ...options, members, kept }, written);
      return { failures: new Map([...failures, ...written]), unbuilt };
    } catch (error) {
      if (error instanceof BuildsFirst) {
        for (const [name, images] of error.unbuilt) unbuilt.set(name, images);
        prunes = error.prunes;
      } else {
        const blamed = error instanceof DiagnosticError ? blame(options, members, error) : [];
        if (blamed.length === 0) throw error;
        for (const [name, diagnostics] of blamed) failures.set(name, diagnostics);
      }
      const isLeft = members.some((member) => member.isUpdated && !isOut(member));
      if (!isLeft && !prunes) return { failures, unbuilt };
    }
  }
}

/** The components whose own objects are all that is wrong; nobody when that is not known. */
function blame(
  { desired }: ApplyBatchOptions,
  members: readonly BatchMember[],
  { diagnostics }: DiagnosticError,
): readonly (readonly [string, readonly Diagnostic[]])[] {
  // A program is applied as a whole.
  if (desired.whole !== undefined) return [];
  const owners = new Map(
    members.flatMap(({ name, objects }) =>
      objects.map(({ object }) => [formatIdentity(identityOf(object)), name] as const),
    ),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const blamed = Map.groupBy(errors, ({ subject = "" }) => owners.get(subject));
  return [...blamed].flatMap(([name, own]) => (name === undefined ? [] : [[name, own] as const]));
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
    desired: {
      objects:
        whole === undefined
          ? members.flatMap(({ objects }) => objects)
          : whole.program.desired.objects,
      invalid: [],
      components: whole?.order ?? members.map(orderOf),
      program: whole?.program,
    },
    prune: { kind: "except", keeps: (key) => kept.has(key) },
    policy: "strict",
    manager: "keelson",
    forceConflicts: false,
    validation: "fail",
    // A save would else run every migration of the chart again.
    runsHooksAlone: true,
    write: {
      reconcileTimeoutMs: timeoutMs,
      pruneTimeoutMs: timeoutMs,
      propagationPolicy: "Background",
      waits: false,
      waitsForJobs: false,
      // Whoever takes a component away while another one fails wants it to go.
      prunesDespiteFailures: true,
    },
    holder: options.holder,
    command: "up",
    leaseWaitMs: timeoutMs,
    signal,
    emit: (event) => {
      noteFailure(event, failures);
      options.emit(event);
    },
    acceptPlan: (plan) => {
      refuseRenamed(desired.warnings, plan);
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
