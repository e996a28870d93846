import { type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError, diagnosticToJson, fail } from "../diagnostics/index.ts";
import { countEvents, emptyCounts, type RunCounts, type RunEvent } from "../events/index.ts";
import {
  addToHistory,
  ensureDefinition,
  ensureGroupDefinition,
  type GroupReference,
  hasStatuses,
  type HeldLease,
  type Inventory,
  type InventoryPolicy,
  inventoryViolations,
  knownInventory,
  loadInventory,
  provisionedDefinition,
  saveInventory,
} from "../inventory/index.ts";
import { identityKey, type ObjectIdentity, type SourcedObject } from "../objects/index.ts";
import type { ListsAhead } from "../observe/index.ts";
import {
  hasRefusals,
  type InvalidObject,
  isProvisioned,
  laterStage,
  type OrderedComponent,
  type Plan,
} from "../plan/index.ts";
import type { Emit } from "./emit.ts";
import { historyEntry } from "./history-entry.ts";
import { holdLease } from "./hold-lease.ts";
import { isSuccess, type NodeOutcome } from "./node-outcome.ts";
import type { ProgramRun } from "./program-run.ts";
import type { ProgramResource } from "../resources/index.ts";
import { isUnnamed, withoutResources } from "./later-resources.ts";
import { type PreparedPlan, preparePlan, uniqueEntries } from "./prepare-plan.ts";
import { finalEntries, finalStatuses, pendingStatuses, willOwn } from "./run-records.ts";
import { runPlan } from "./run-plan.ts";

export interface ApplyGroupOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  readonly desired: readonly SourcedObject[];
  /** What is known to be wrong with them already. */
  readonly invalid?: readonly InvalidObject[] | undefined;
  /** What belongs together: components wait for each other, and events name them. */
  readonly components?: readonly OrderedComponent[] | undefined;
  /** The program that wishes for all this, with those who compute and make the rest. */
  readonly program?: ProgramRun | undefined;
  /** False: nothing is deleted, because not all that is wished for is known yet. */
  readonly prunes?: boolean | undefined;
  /** Tells by identity keys what stays because it is wished for, though not by this run. */
  readonly keeps?: ((key: string) => boolean) | undefined;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  readonly forceConflicts: boolean;
  /** Whether invalid objects end the run before it begins, or are left out of it. */
  readonly validation?: "fail" | "skip" | undefined;
  readonly reconcileTimeoutMs: number;
  readonly pruneTimeoutMs: number;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan";
  readonly waits: boolean;
  /** Whether a Job is ready when it has completed, not when it has begun. */
  readonly waitsForJobs?: boolean | undefined;
  /** Plan only: nothing at all is written. */
  readonly dryRun: boolean;
  readonly holder: string;
  /** What the run is called in the history; `apply` unless given. */
  readonly command?: string | undefined;
  readonly leaseWaitMs: number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Looks at the plan before anything is written; what it throws ends the run. */
  readonly acceptPlan?: ((plan: Plan) => Promise<void>) | undefined;
  /** How large one ResourceGroup may become before the inventory goes on in another. */
  readonly largestPartBytes?: number | undefined;
  /** Lists that were begun while the input was read. */
  readonly ahead?: ListsAhead | undefined;
}

/** How a run ended. */
export interface GroupRun {
  readonly plan: Plan | undefined;
  readonly counts: RunCounts;
  readonly hasFailures: boolean;
  readonly hasRefusals: boolean;
}

/** Applies what is wished for as one inventory, and prunes what left it. */
export async function applyGroup(options: ApplyGroupOptions): Promise<GroupRun> {
  let counts = emptyCounts();
  // Planning may give objects other names; then this is what they are known by.
  let names = namesOf(options);
  const emit = (event: RunEvent): void => {
    counts = countEvents(counts, event);
    options.emit(withResource(withComponent(event, names.componentOf), names.resources));
  };
  const prepare: Prepare = async (inventory, later) => {
    const { program } = options;
    const isPart = program !== undefined && later !== undefined;
    const wishes = isPart ? withoutResources({ ...options, program }, later) : {};
    const given = { ...options, ...wishes, ...(isPart ? { prunes: false } : {}), emit };
    const prepared = await preparePlan(given, inventory);
    names = namesOf(prepared);
    return prepared;
  };
  const run = options.dryRun
    ? await planOnly({ ...options, emit }, prepare)
    : await applyLocked({ ...options, emit }, prepare);
  emit({ type: "summary", counts });
  return { ...run, counts };
}

type Ended = Omit<GroupRun, "counts">;
/** Plans everything, or all but some resources, of which nothing is pruned then. */
type Prepare = (
  inventory: Inventory | Promise<Inventory>,
  later?: ReadonlySet<string>,
) => Promise<PreparedPlan>;

/** What events say of objects beside what they are: their components and resources, by identity key. */
function namesOf({ components, program }: Pick<ApplyGroupOptions, "components" | "program">): {
  readonly componentOf: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, ProgramResource> | undefined;
} {
  return {
    componentOf: new Map(
      components?.flatMap(({ name, members }) => members.map((member) => [member, name])),
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
  const label = isProvisioned(event.object) ? `${kind} ${resource.name}` : undefined;
  return { ...event, resource: resource.name, ...(label === undefined ? {} : { label }) };
}

/** Says of which component an object is. */
function withComponent(event: RunEvent, componentOf: ReadonlyMap<string, string>): RunEvent {
  if (componentOf.size === 0 || !("status" in event) || !("object" in event)) return event;
  const component = componentOf.get(identityKey(event.object));
  return component === undefined ? event : { ...event, component };
}

/** Reads and plans, without lock and without a single write. */
async function planOnly(options: ApplyGroupOptions, prepare: Prepare): Promise<Ended> {
  const { plan } = await prepare(knownInventory(options.cluster, options.group));
  emitPlan(plan, options.emit);
  return { plan, hasFailures: false, hasRefusals: hasRefusals(plan) };
}

async function applyLocked(given: ApplyGroupOptions, prepare: Prepare): Promise<Ended> {
  const { cluster, group, signal } = given;
  // Everything that is wrong is said before anything is written, the lock included.
  const seen = knownInventory(cluster, group);
  const { plan, later, ...settled } = await prepare(seen);
  const options = { ...given, ...settled };
  const first = { inventory: await seen, plan, later };
  await options.acceptPlan?.(first.plan);
  if (changesNothing(first)) return confirm(options, first);
  await ensureNamespace(options);
  await ensureGroupDefinition(cluster, signal);
  if ([...first.plan.nodes.values()].some(({ identity }) => isProvisioned(identity)))
    await ensureDefinition(cluster, provisionedDefinition, signal);
  const lease = await holdLease(options);
  try {
    const inventory = await loadInventory(cluster, group);
    // Another run may have ended between the plan and the lock; it would have left a new version.
    if (inventory.version === first.inventory.version)
      return await applyStages(options, prepare, lease, first);
    const { plan: second, later: secondLater, ...resettled } = await prepare(inventory);
    await options.acceptPlan?.(second);
    return await applyStages({ ...options, ...resettled }, prepare, lease, {
      inventory,
      plan: second,
      later: secondLater,
    });
  } finally {
    await lease.release();
  }
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
    const { plan, later: _open, ...part } = await prepare(planned.inventory, planned.later);
    const stage = { inventory: planned.inventory, plan };
    const ended = await applyHolding({ ...settled, ...part }, lease, stage);
    for (const [key, { kind }] of plan.nodes) if (kind === "apply") done.add(key);
    const isOver = ended.hasFailures || signal.aborted || lease.lost.aborted;
    if (isOver) return skipLater(options, planned, ended);
    const inventory = await loadInventory(cluster, group);
    const { plan: next, later, ...resettled } = await prepare(inventory);
    if (later.size >= planned.later.size) return skipLater(options, planned, ended);
    planned = { inventory, plan: next, later };
    const told = [...done].filter((key) => next.nodes.get(key)?.action === "unchanged");
    settled = { ...options, ...resettled, emit: unlessTold(emit, new Set(told)) };
  }
  return applyHolding(settled, lease, planned);
}

/** What an earlier stage did and told is not told again. */
function unlessTold(emit: Emit, told: ReadonlySet<string>): Emit {
  return (event) => {
    const isOfObject = event.type === "plan" || event.type === "apply" || event.type === "wait";
    if (!isOfObject || !told.has(identityKey(event.object))) emit(event);
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
    owned.size === plan.nodes.size &&
    [...plan.nodes].every(([key, { action }]) => action === "unchanged" && owned.has(key))
  );
}

/** Everything is as it should be: waits until it is ready, and locks only to remember news of that. */
async function confirm(options: ApplyGroupOptions, { inventory, plan }: Planned): Promise<Ended> {
  emitPlan(plan, options.emit);
  const outcomes = await execute(options, plan, options.signal);
  const end = endOf(outcomes);
  const statuses = finalStatuses(plan, outcomes);
  if (hasStatuses(inventory, statuses)) return { plan, ...end };
  const lease = await holdLease(options);
  try {
    const current = await loadInventory(options.cluster, options.group);
    if (current.version !== inventory.version) return { plan, ...end };
    const isRemembered = await remember(options.emit, lease, () =>
      saveFinal(options, inventory, plan, outcomes),
    );
    return { plan, ...end, hasFailures: end.hasFailures || !isRemembered };
  } finally {
    await lease.release();
  }
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
  const outcomes = await execute(options, plan, AbortSignal.any([options.signal, lease.lost]));
  const end = endOf(outcomes);
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
  { cluster, largestPartBytes }: ApplyGroupOptions,
  saved: Inventory,
  plan: Plan,
): Promise<Inventory> {
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
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NodeOutcome>> {
  const message = `${options.desired.length} objects`;
  options.emit({ type: "group", action: "apply", status: "started", message });
  const now = Date.now();
  return runPlan(plan, {
    ...options,
    reconcileDeadline: now + options.reconcileTimeoutMs,
    pruneDeadline: now + options.pruneTimeoutMs,
    destroys: false,
    signal,
  });
}

/** The history with what this run has changed; as it was, when that is nothing. */
export function historyAfter(
  { holder, command = "apply" }: { readonly holder: string; readonly command?: string | undefined },
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
  { cluster, largestPartBytes }: ApplyGroupOptions,
  before: Inventory,
  plan: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  owned: readonly ObjectIdentity[] = before.parts.flatMap(({ entries }) => entries),
): Promise<void> {
  const final = await saveInventory(
    cluster,
    before,
    finalEntries(plan, outcomes, new Set(owned.map(identityKey))),
    finalStatuses(plan, outcomes),
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
  if (lease.lost.aborted) {
    emit({
      type: "error",
      code: "live.lease-lost",
      severity: "error",
      summary: "another run took over the Lease of this inventory; this one stopped",
      hint: "run it again when the other has ended",
    });
    return false;
  }
  try {
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

export function endOf(outcomes: ReadonlyMap<string, NodeOutcome>): {
  readonly hasFailures: boolean;
  readonly hasRefusals: boolean;
} {
  const all = [...outcomes.values()];
  return {
    hasFailures: all.some(
      (outcome) =>
        outcome.refused !== true && outcome.actuation !== "Skipped" && !isSuccess(outcome),
    ),
    hasRefusals: all.some((outcome) => outcome.refused === true),
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
  const wanted = desired.find(
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
