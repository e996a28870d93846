import type { Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import { Graph } from "../graph/index.ts";
import { countEvents, emptyCounts, type RunEvent } from "../events/index.ts";
import {
  deleteInventory,
  type GroupReference,
  type Inventory,
  type InventoryPolicy,
  knownInventory,
  type LeaseClock,
  loadInventory,
  saveInventory,
  servesInventories,
} from "../inventory/index.ts";
import { identityKey } from "../objects/index.ts";
import { observeLive } from "../observe/index.ts";
import { hasRefusals, makeDestroyPlan, type Plan } from "../plan/index.ts";
import { endOf, type GroupRun, historyAfter, remember } from "./apply-group.ts";
import { holdingLease } from "./hold-lease.ts";
import type { ProgramRun } from "../prepare/index.ts";
import { requireSameId } from "../prepare/index.ts";
import type { Emit } from "../events/index.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import { runPlan } from "./run-plan.ts";

export interface DestroyGroupOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  /** Who makes what is outside of Kubernetes, and can take it away. */
  readonly program?: ProgramRun | undefined;
  /** Tells by identity keys what goes; the rest and the inventory stay. Everything goes unless given. */
  readonly only?: ((key: string) => boolean) | undefined;
  /** Kinds, as `Kind.group`, whose objects are forgotten where the cluster does not serve them. */
  readonly forgetKinds?: readonly string[] | undefined;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  readonly deleteTimeoutMs: number;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan";
  readonly dryRun: boolean;
  readonly holder: string;
  /** What the run is called in the history. */
  readonly command: string;
  /** Whether what stays of the inventory says in its status how each object is; so unless given. */
  readonly recordsStatus?: boolean | undefined;
  readonly leaseWaitMs: number;
  readonly clock?: LeaseClock | undefined;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Deletes what an inventory owns, dependents first, and with the last of it the inventory itself. */
export async function destroyGroup(options: DestroyGroupOptions): Promise<GroupRun> {
  let counts = emptyCounts();
  const emit = (event: RunEvent): void => {
    counts = countEvents(counts, event);
    options.emit(event);
  };
  const ended = await destroyCounted({ ...options, emit });
  emit({ type: "summary", counts });
  return { ...ended, counts };
}

async function destroyCounted(options: DestroyGroupOptions): Promise<Omit<GroupRun, "counts">> {
  const { cluster, group } = options;
  const empty: Plan = { nodes: new Map(), graph: new Graph([], []) };
  const nothing = { plan: empty, hasFailures: false, hasRefusals: false };
  if ((await servesInventories(cluster)) === undefined) refuseUnseen();
  const seen = await knownInventory(cluster, group);
  if (seen.parts.length === 0) return nothing;
  requireSameId(seen, options.policy);
  if (options.dryRun) {
    const plan = await planDestroy(options, seen);
    return { ...nothing, plan, hasRefusals: hasRefusals(plan) };
  }
  return holdingLease(options, async (held, lease) => {
    const inventory = await loadInventory(cluster, group);
    const plan = await planDestroy(held, inventory);
    const outcomes = await runPlan(plan, {
      ...held,
      forceConflicts: false,
      reconcileDeadline: 0,
      pruneDeadline: Date.now() + options.deleteTimeoutMs,
      waits: true,
      destroys: true,
      signal: AbortSignal.any([held.signal, lease.lost]),
      fence: lease.fence,
    });
    const end = endOf(outcomes, plan);
    const isRemembered = await remember(held.emit, lease, () =>
      finish(held, inventory, plan, outcomes),
    );
    return { plan, ...end, hasFailures: end.hasFailures || !isRemembered };
  });
}

/** Nothing to delete and nothing to see are not the same. */
function refuseUnseen(): never {
  fail({
    code: "live.inventories-not-served",
    summary:
      "the API server does not serve inventories, and whether it should may not be asked; what is owned cannot be told",
    hint: "allow the verb get on customresourcedefinitions",
  });
}

async function planDestroy(
  { cluster, policy, emit, signal, only, forgetKinds }: DestroyGroupOptions,
  inventory: Inventory,
): Promise<Plan> {
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  const { live, absence } = await observeLive(cluster, owned, { signal, owned, forgetKinds });
  const plan = makeDestroyPlan({ inventory, live, absence, policy, only });
  for (const { identity, action, reason, message } of plan.nodes.values()) {
    if (action === "delete" || action === "keep" || action === "skip")
      emit({ type: "plan", object: identity, status: action, reason, message });
  }
  return plan;
}

/** The inventory goes with the last object that it names; what could not be deleted stays in it. */
async function finish(
  { cluster, holder, command, recordsStatus = true }: DestroyGroupOptions,
  inventory: Inventory,
  plan: Plan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
): Promise<void> {
  const staying = inventory.parts
    .flatMap(({ entries }) => entries)
    .filter((entry) => outcomes.get(identityKey(entry))?.stays ?? true);
  const ownNamespace = [...plan.nodes].find(
    ([, { identity }]) =>
      identity.kind === "Namespace" &&
      identity.group === "" &&
      identity.name === inventory.reference.namespace,
  );
  const isGoneWithIt = ownNamespace !== undefined && outcomes.get(ownNamespace[0])?.stays === false;
  if (isGoneWithIt) return;
  if (staying.length === 0) await deleteInventory(cluster, inventory);
  else {
    const history = historyAfter({ holder, command }, inventory, plan, outcomes);
    const statuses = recordsStatus ? untouched(inventory, plan) : undefined;
    await saveInventory(cluster, { ...inventory, history }, staying, statuses);
  }
}

/** What is known of objects that a plan does not name is still true. */
function untouched({ statuses }: Inventory, { nodes }: Plan): Inventory["statuses"] {
  return new Map([...statuses].filter(([key]) => !nodes.has(key)));
}
