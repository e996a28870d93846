import type { Cluster } from "../cluster/index.ts";
import { countEvents, emptyCounts, type RunEvent } from "../events/index.ts";
import {
  deleteInventory,
  type GroupReference,
  type Inventory,
  type InventoryPolicy,
  loadInventory,
  saveInventory,
} from "../inventory/index.ts";
import { identityKey } from "../objects/index.ts";
import { observeLive } from "../observe/index.ts";
import { hasRefusals, makeDestroyPlan, type Plan } from "../plan/index.ts";
import { endOf, type GroupRun, historyAfter, remember } from "./apply-group.ts";
import { holdLease } from "./hold-lease.ts";
import type { ProgramRun } from "./program-run.ts";
import { requireSameId } from "./prepare-plan.ts";
import type { Emit } from "./emit.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import { runPlan } from "./run-plan.ts";

export interface DestroyGroupOptions {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  /** Who makes what is outside of Kubernetes, and can take it away. */
  readonly program?: ProgramRun | undefined;
  /** Tells by identity keys what goes; the rest and the inventory stay. Everything goes unless given. */
  readonly only?: ((key: string) => boolean) | undefined;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  readonly deleteTimeoutMs: number;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan";
  readonly dryRun: boolean;
  readonly holder: string;
  /** What the run is called in the history; `destroy` unless given. */
  readonly command?: string | undefined;
  readonly leaseWaitMs: number;
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
  const resources = await cluster.resources();
  const nothing = { plan: undefined, hasFailures: false, hasRefusals: false };
  if (resources.preferred("kpt.dev", "ResourceGroup") === undefined) return nothing;
  const seen = await loadInventory(cluster, group);
  if (seen.parts.length === 0) return nothing;
  requireSameId(seen, options.policy);
  if (options.dryRun) {
    const plan = await planDestroy(options, seen);
    return { ...nothing, plan, hasRefusals: hasRefusals(plan) };
  }
  const lease = await holdLease(options);
  try {
    const inventory = await loadInventory(cluster, group);
    const plan = await planDestroy(options, inventory);
    const outcomes = await runPlan(plan, {
      ...options,
      forceConflicts: false,
      reconcileDeadline: 0,
      pruneDeadline: Date.now() + options.deleteTimeoutMs,
      waits: true,
      destroys: true,
      signal: AbortSignal.any([options.signal, lease.lost]),
    });
    const end = endOf(outcomes);
    const isRemembered = await remember(options.emit, lease, () =>
      finish(options, inventory, plan, outcomes),
    );
    return { plan, ...end, hasFailures: end.hasFailures || !isRemembered };
  } finally {
    await lease.release();
  }
}

async function planDestroy(
  { cluster, policy, emit, signal, only }: DestroyGroupOptions,
  inventory: Inventory,
): Promise<Plan> {
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  const { live, unchecked } = await observeLive(cluster, owned, { signal });
  const plan = makeDestroyPlan({ inventory, live, unchecked, policy, only });
  for (const { identity, action, reason, message } of plan.nodes.values()) {
    if (action === "delete" || action === "keep" || action === "skip")
      emit({ type: "plan", object: identity, status: action, reason, message });
  }
  return plan;
}

/** The inventory goes with the last object that it names; what could not be deleted stays in it. */
async function finish(
  { cluster, holder, command = "destroy" }: DestroyGroupOptions,
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
    await saveInventory(cluster, { ...inventory, history }, staying, untouched(inventory, plan));
  }
}

/** What is known of objects that a plan does not name is still true. */
function untouched({ statuses }: Inventory, { nodes }: Plan): Inventory["statuses"] {
  return new Map([...statuses].filter(([key]) => !nodes.has(key)));
}
