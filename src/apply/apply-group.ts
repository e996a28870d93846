import { type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError, diagnosticToJson, fail } from "../diagnostics/index.ts";
import {
  countEvents,
  type Emit,
  emptyCounts,
  type RunCounts,
  type RunEvent,
} from "../events/index.ts";
import {
  addToHistory,
  ensureDefinition,
  ensureGroupDefinition,
  hasChosenMetadata,
  hasStatuses,
  type HeldLease,
  type Inventory,
  inventoryViolations,
  knownInventory,
  loadInventory,
  provisionedDefinition,
  saveInventory,
} from "../inventory/index.ts";
import { identityKey, type ObjectIdentity } from "../objects/index.ts";
import { readOnce } from "../observe/index.ts";
import { hasRefusals, isRecordIdentity, laterStage, type Plan } from "../plan/index.ts";
import { historyEntry } from "./history-entry.ts";
import { holdingLease } from "./hold-lease.ts";
import { isSuccess, type NodeOutcome } from "./node-outcome.ts";
import type { ApplyGroupOptions } from "./group-options.ts";
import {
  type DesiredGroup,
  isUnnamed,
  type PlanGroupOptions,
  type PreparedPlan,
  preparePlan,
  uniqueEntries,
  withoutResources,
} from "../prepare/index.ts";
import type { ProgramResource } from "../resources/index.ts";
import { finalEntries, finalStatuses, pendingStatuses, willOwn } from "./run-records.ts";
import { runPlan } from "./run-plan.ts";

/** How a run ended. */
export interface GroupRun {
  readonly plan: Plan;
  readonly counts: RunCounts;
  readonly hasFailures: boolean;
  readonly hasRefusals: boolean;
}

/** Plans an inventory: reads, and writes nothing, not even a lock. */
export async function planGroup(options: PlanGroupOptions): Promise<GroupRun> {
  return counted(options, async (emit, prepare) => {
    const { plan } = await prepare();
    emitPlan(plan, emit);
    return { plan, hasFailures: false, hasRefusals: hasRefusals(plan) };
  });
}

/** Applies the desired state as one inventory, and prunes what left it. */
export async function applyGroup(options: ApplyGroupOptions): Promise<GroupRun> {
  return counted(options, (emit, prepare) => applyLocked({ ...options, emit }, prepare));
}

/** Counts and names what a run tells. */
async function counted(
  options: PlanGroupOptions,
  body: (emit: Emit, prepare: Prepare) => Promise<Ended>,
): Promise<GroupRun> {
  let counts = emptyCounts();
  // Planning may give objects other names; then this is what they are known by.
  let names = namesOf(options.desired);
  let { reads } = options;
  const emit = (event: RunEvent): void => {
    counts = countEvents(counts, event);
    options.emit(withResource(withComponent(event, names.componentOf), names.resources));
  };
  const prepare: Prepare = async (inventory, later) => {
    const { desired } = options;
    const isPart = later !== undefined;
    // What was read before is good for the first plan only.
    const fresh = reads ?? readOnce(options.cluster, options.signal);
    reads = undefined;
    const prepared = await preparePlan(
      {
        ...options,
        reads: fresh,
        desired: isPart ? withoutResources(desired, later) : desired,
        prune: isPart ? { kind: "none" } : options.prune,
        emit,
      },
      inventory ?? knownInventory(fresh, options.group),
    );
    names = namesOf(prepared.desired);
    return prepared;
  };
  const run = await body(emit, prepare);
  emit({ type: "summary", counts });
  return { ...run, counts };
}

type Ended = Omit<GroupRun, "counts">;
/** Plans everything, or all but some resources, of which nothing is pruned then. */
type Prepare = (inventory?: Inventory, later?: ReadonlySet<string>) => Promise<PreparedPlan>;

/** What events say of objects beside what they are: their components and resources, by identity key. */
function namesOf({ components, program }: DesiredGroup): {
  readonly componentOf: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, ProgramResource> | undefined;
} {
  return {
    componentOf: new Map(
      components.flatMap(({ name, members }) => members.map((member) => [member, name])),
    ),
    resources: program?.desired.resources,
  };
}

/** Says which resource of a program an object is; records go by the names of what they record. */
function withResource(
  event: RunEvent,
  resources: ReadonlyMap<string, ProgramResource> | undefined,
): RunEvent {
  if (resources === undefined || !("status" in event) || !("object" in event)) return event;
  const resource = resources.get(identityKey(event.object));
  if (resource === undefined) return event;
  const kind = resource.providerType.slice(resource.providerType.lastIndexOf("/") + 1);
  const label = isRecordIdentity(event.object) ? `${kind} ${resource.name}` : undefined;
  return { ...event, resource: resource.name, ...(label === undefined ? {} : { label }) };
}

/** Says of which component an object is. */
function withComponent(event: RunEvent, componentOf: ReadonlyMap<string, string>): RunEvent {
  if (componentOf.size === 0 || !("status" in event) || !("object" in event)) return event;
  const component = componentOf.get(identityKey(event.object));
  return component === undefined ? event : { ...event, component };
}

async function applyLocked(given: ApplyGroupOptions, prepare: Prepare): Promise<Ended> {
  const { cluster, group, signal } = given;
  // Everything that is wrong is said before anything is written, the lock included.
  const first = await prepare();
  const options = { ...given, desired: first.desired };
  await options.acceptPlan?.(first.plan, first.reads);
  if (changesNothing(first)) return confirm(options, first);
  await ensureNamespace(options);
  await ensureGroupDefinition(cluster, signal);
  if ([...first.plan.nodes.values()].some(({ identity }) => isRecordIdentity(identity)))
    await ensureDefinition(cluster, provisionedDefinition, signal);
  return holdingLease(options, async (held, lease) => {
    const inventory = await loadInventory(cluster, group);
    // Another run may have ended between the plan and the lock; it would have left a new version. One that
    // was interrupted may have written objects without that.
    const isInterrupted = lease.isTakenOver || isUnfinished(inventory);
    if (inventory.version === first.inventory.version && !isInterrupted)
      return applyStages(held, prepare, lease, first);
    const second = await prepare(inventory);
    await options.acceptPlan?.(second.plan, second.reads);
    return applyStages({ ...held, desired: second.desired }, prepare, lease, second);
  });
}

/** Whether a run has begun to write and could not tell how that ended. */
function isUnfinished({ statuses }: Inventory): boolean {
  return [...statuses.values()].some(({ actuation }) => actuation === "Pending");
}

/**
 * Carries out a plan. Objects that cannot be named before others are applied come in a stage of their
 * own, with all that waits for them: nothing is written that the inventory does not name before.
 */
async function applyStages(
  options: ApplyGroupOptions,
  prepare: Prepare,
  lease: HeldLease,
  first: Planned & { readonly later: ReadonlySet<string> },
): Promise<Ended> {
  const { cluster, group, signal, emit } = options;
  const done = new Set<string>();
  let planned = first;
  let settled = options;
  while (planned.later.size > 0) {
    const { plan, desired } = await prepare(planned.inventory, planned.later);
    const stage = { inventory: planned.inventory, plan };
    const ended = await applyHolding({ ...settled, desired }, lease, stage);
    for (const [key, { kind }] of plan.nodes) if (kind === "apply") done.add(key);
    const isOver = ended.hasFailures || signal.aborted || lease.lost.aborted;
    if (isOver) return skipLater(options, planned, ended);
    const inventory = await loadInventory(cluster, group);
    const next = await prepare(inventory);
    if (next.later.size >= planned.later.size) return skipLater(options, planned, ended);
    planned = next;
    const reported = [...done].filter((key) => next.plan.nodes.get(key)?.action === "unchanged");
    settled = { ...options, desired: next.desired, emit: withoutObjects(emit, new Set(reported)) };
  }
  return applyHolding(settled, lease, planned);
}

/** Leaves out what an earlier stage did and reported. */
function withoutObjects(emit: Emit, reported: ReadonlySet<string>): Emit {
  return (event) => {
    const isOfObject = event.type === "plan" || event.type === "apply" || event.type === "wait";
    if (!isOfObject || !reported.has(identityKey(event.object))) emit(event);
  };
}

/** Says of everything that cannot be named that it was left as it is. */
function skipLater(
  { emit }: ApplyGroupOptions,
  { plan, later }: Planned & { readonly later: ReadonlySet<string> },
  ended: Ended,
): Ended {
  for (const node of plan.nodes.values())
    if (node.kind === "apply" && node.resource !== undefined && later.has(node.resource.name))
      emit({
        type: "apply",
        object: node.identity,
        status: "skipped",
        reason: "NameUnknown",
        message: isUnnamed(node)
          ? "what it is named after did not become known"
          : "it waits for what is named after something that did not become known",
      });
  return { ...ended, plan, hasFailures: ended.hasFailures || !ended.hasRefusals };
}

interface Planned {
  readonly inventory: Inventory;
  readonly plan: Plan;
}

/** Whether neither an object nor the list of what is owned is going to be written. */
function changesNothing({ inventory, plan }: Planned): boolean {
  if (inventory.parts.length === 0 || inventory.liveId !== inventory.reference.id) return false;
  const owned = new Set(inventory.parts.flatMap(({ entries }) => entries.map(identityKey)));
  return (
    inventory.formerId === undefined &&
    hasChosenMetadata(inventory) &&
    owned.size === plan.nodes.size &&
    [...plan.nodes].every(([key, { action }]) => action === "unchanged" && owned.has(key))
  );
}

/** Everything is as it should be: waits until it is ready, and locks only to remember news of that. */
async function confirm(options: ApplyGroupOptions, { inventory, plan }: Planned): Promise<Ended> {
  emitPlan(plan, options.emit);
  const outcomes = await execute(options, plan);
  const end = endOf(outcomes, plan);
  const statuses = finalStatuses(plan, outcomes);
  if (options.recordsStatus === false || hasStatuses(inventory, statuses)) return { plan, ...end };
  return holdingLease(options, async (held, lease) => {
    const current = await loadInventory(held.cluster, held.group);
    if (current.version !== inventory.version) return { plan, ...end };
    const isRemembered = await remember(held.emit, lease, () =>
      saveFinal(held, inventory, plan, outcomes),
    );
    return { plan, ...end, hasFailures: end.hasFailures || !isRemembered };
  });
}

async function applyHolding(
  options: ApplyGroupOptions,
  lease: HeldLease,
  { inventory, plan }: Planned,
): Promise<Ended> {
  const { cluster, emit, largestPartBytes } = options;
  emitPlan(plan, emit);
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  const union = uniqueEntries([...owned, ...willOwn(plan)]);
  const hasWrites = [...plan.nodes.values()].some(
    (node) => node.action !== "unchanged" && node.action !== "skip",
  );
  const mustSave = hasWrites || inventory.parts.length === 0;
  const saved = mustSave
    ? await saveInventory(cluster, inventory, union, undefined, { largestPartBytes })
    : inventory;
  // What is owned must be known before anything is written; how far that is may be told meanwhile.
  const telling = mustSave ? tellPending(options, saved, plan) : Promise.resolve(saved);
  const outcomes = await execute(options, plan, lease, inventory.formerId);
  const end = endOf(outcomes, plan);
  const before = await telling;
  const isRemembered = await remember(emit, lease, async () => {
    // Objects may carry the former id until a run has ended well for all of them.
    const formerId = isComplete(outcomes) ? undefined : before.formerId;
    const history = historyAfter(options, before, plan, outcomes);
    await saveFinal(options, { ...before, formerId, history }, plan, outcomes, owned);
  });
  return { plan, ...end, hasFailures: end.hasFailures || !isRemembered };
}

/** Says of everything that its turn is to come. Should that fail, the end of the run says it all again. */
async function tellPending(
  { cluster, largestPartBytes, recordsStatus = true }: ApplyGroupOptions,
  saved: Inventory,
  plan: Plan,
): Promise<Inventory> {
  if (!recordsStatus) return saved;
  const entries = saved.parts.flatMap((part) => part.entries);
  try {
    return await saveInventory(cluster, saved, entries, pendingStatuses(plan), {
      largestPartBytes,
    });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { ...saved, statuses: new Map() };
  }
}

function execute(
  options: ApplyGroupOptions,
  plan: Plan,
  lease?: HeldLease,
  formerId?: string,
): Promise<ReadonlyMap<string, NodeOutcome>> {
  const { group, policy } = options;
  const { cluster, desired, emit, manager, forceConflicts, write, signal } = options;
  const message = `${desired.objects.length} objects`;
  emit({ type: "group", action: "apply", status: "started", message });
  const now = Date.now();
  return runPlan(plan, {
    cluster,
    emit,
    manager,
    forceConflicts,
    reconcileDeadline: now + write.reconcileTimeoutMs,
    pruneDeadline: now + write.pruneTimeoutMs,
    propagationPolicy: write.propagationPolicy,
    waits: write.waits,
    waitsForJobs: write.waitsForJobs,
    prunesDespiteFailures: write.prunesDespiteFailures,
    destroys: false,
    signal: lease === undefined ? signal : AbortSignal.any([signal, lease.lost]),
    fence: lease?.fence,
    ownership: { id: group.id, formerId, policy },
    program: desired.program,
  });
}

/** The history with what this run has changed; as it was, when that is nothing. */
export function historyAfter(
  { holder, command }: { readonly holder: string; readonly command: string },
  { history }: Inventory,
  plan: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
): string | undefined {
  const at = new Date().toISOString();
  const entry = historyEntry(plan, outcomes, { at, by: holder, command });
  return entry === undefined ? history : addToHistory(history, entry);
}

/** Writes what is owned after a run, and how it is. */
async function saveFinal(
  { cluster, largestPartBytes, recordsStatus = true }: ApplyGroupOptions,
  before: Inventory,
  plan: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  owned: readonly ObjectIdentity[] = before.parts.flatMap(({ entries }) => entries),
): Promise<void> {
  const final = await saveInventory(
    cluster,
    before,
    finalEntries(plan, outcomes, new Set(owned.map(identityKey))),
    recordsStatus ? finalStatuses(plan, outcomes) : undefined,
    { largestPartBytes },
  );
  const violations = inventoryViolations(final);
  if (violations.length > 0) throw new Error(`the inventory is invalid: ${violations.join("; ")}`);
}

/**
 * Writes the end of a run into the inventory. Who has lost the Lease writes no more: the inventory
 * still names everything from before the first write, and belongs to another run now.
 */
export async function remember(
  emit: Emit,
  lease: HeldLease,
  save: () => Promise<void>,
): Promise<boolean> {
  try {
    lease.lost.throwIfAborted();
    await save();
    return true;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics)
      emit({ type: "error", ...diagnosticToJson(diagnostic) });
    return false;
  }
}

function isComplete(outcomes: ReadonlyMap<string, NodeOutcome>): boolean {
  return [...outcomes.values()].every(({ actuation }) => actuation === "Succeeded");
}

export function endOf(
  outcomes: ReadonlyMap<string, NodeOutcome>,
  { leavesOut }: Plan,
): {
  readonly hasFailures: boolean;
  readonly hasRefusals: boolean;
} {
  const all = [...outcomes.values()];
  return {
    hasFailures: all.some(
      (outcome) =>
        outcome.refused !== true && outcome.actuation !== "Skipped" && !isSuccess(outcome),
    ),
    hasRefusals: leavesOut === true || all.some((outcome) => outcome.refused === true),
  };
}

/** The namespace of the inventory comes before everything else: the lock itself lives in it. */
async function ensureNamespace({
  cluster,
  group,
  desired,
  manager,
  forceConflicts,
  policy,
}: ApplyGroupOptions): Promise<void> {
  if (await mayExist(cluster, group.namespace)) return;
  const wanted = desired.objects.find(
    ({ object }) =>
      object.kind === "Namespace" &&
      object.apiVersion === "v1" &&
      object.metadata.name === group.namespace,
  );
  if (wanted === undefined) {
    fail({
      code: "live.namespace-missing",
      summary: `the namespace ${group.namespace} of the inventory ${group.name} does not exist and is not in the input`,
      hint: `kubectl create namespace ${group.namespace}`,
    });
  }
  const annotations = {
    ...wanted.object.metadata.annotations,
    "config.k8s.io/owning-inventory": group.id,
  };
  const object = { ...wanted.object, metadata: { ...wanted.object.metadata, annotations } };
  await cluster.apply(object, {
    fieldManager: manager,
    force: forceConflicts || policy !== "strict",
  });
}

/** Who has rights in a single namespace may not look at it; the writes will tell. */
async function mayExist(cluster: Cluster, namespace: string): Promise<boolean> {
  try {
    const found = await cluster.find({ apiVersion: "v1", kind: "Namespace", name: namespace });
    return found !== undefined;
  } catch (error) {
    if (isApiError(error, "Forbidden")) return true;
    throw error;
  }
}

function emitPlan({ nodes }: Plan, emit: Emit): void {
  for (const node of nodes.values()) {
    const { identity: object, reason, message } = node;
    if (node.kind === "apply") emit({ type: "plan", object, status: node.action, reason, message });
    else if (node.action !== "forget" && reason !== laterStage)
      emit({
        type: "plan",
        object,
        status: node.action === "delete" ? "prune" : node.action,
        reason,
        message,
      });
  }
}
