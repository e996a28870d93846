import type { Condition } from "../../causes/index.ts";
import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { transitionTime } from "./conditions.ts";
import type { Controller } from "./controller.ts";
import type { EventWriter } from "./event-writer.ts";
import { intOrPercent } from "./int-or-percent.ts";
import { isFinished, isPodReady, isPodTerminating } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import { type Runtime, pods } from "./runtime.ts";
import type { ObjectSelector } from "../api/object-selector.ts";
import { SelectorIndex } from "./selector-index.ts";
import { putStatus } from "./put-status.ts";

const budgets = "policy/poddisruptionbudgets";

interface Budget extends KubernetesObject {
  readonly spec: {
    readonly selector?: ObjectSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Counts for each PodDisruptionBudget how many of its pods may be taken away. */
export function disruptionController(runtime: Runtime): Controller {
  const events = runtime.recorder("controllermanager");
  const selectors = new SelectorIndex(budgets, (budget) => (budget as Budget).spec.selector);
  return {
    name: "disruption",
    watches: [budgets, pods],
    keysOf: (change) => {
      selectors.update(change);
      const { resource, type, stored } = change;
      if (resource === budgets) return type === "DELETED" ? [] : [stored];
      return resource === pods ? selectors.concernedBy(change) : [];
    },
    reconcile: ({ namespace, name }) => {
      const budget = runtime.client.get(budgets, namespace, name);
      if (budget !== undefined) sync(runtime, events, budget as Budget);
      return undefined;
    },
  };
}

function sync(runtime: Runtime, events: EventWriter, budget: Budget): void {
  const { namespace = "", generation = 1 } = budget.metadata;
  const selected = runtime
    .selectPods(namespace, budget.spec.selector)
    .filter((pod) => !isFinished(pod));
  if (selected.length === 0) {
    events.record(budget, { reason: "NoPods", message: "No matching pods found" });
  }
  const { expectedPods, desiredHealthy } = wish(runtime, budget, selected);
  const currentHealthy = selected.filter((pod) => isPodReady(pod) && !isPodTerminating(pod)).length;
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const isAllowed = disruptionsAllowed > 0;
  const verdict = { type: "DisruptionAllowed", status: isAllowed ? "True" : "False" };
  const condition = {
    ...verdict,
    observedGeneration: generation,
    lastTransitionTime: transitionTime(budget.status?.conditions, verdict, runtime.timestamp()),
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    message: "",
  };
  putStatus(runtime.client, budgets, budget, {
    observedGeneration: generation,
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: [condition],
  });
}

function wish(
  runtime: Runtime,
  { spec }: Budget,
  selected: readonly Pod[],
): { readonly expectedPods: number; readonly desiredHealthy: number } {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expectedPods = scaleOf(runtime, selected);
    const missing = intOrPercent(maxUnavailable, expectedPods, "up");
    return { expectedPods, desiredHealthy: Math.max(0, expectedPods - missing) };
  }
  if (typeof minAvailable === "string") {
    const expectedPods = scaleOf(runtime, selected);
    return { expectedPods, desiredHealthy: intOrPercent(minAvailable, expectedPods, "up") };
  }
  return { expectedPods: selected.length, desiredHealthy: minAvailable ?? 1 };
}

const scaled: Readonly<Record<string, string>> = {
  ReplicaSet: "apps/replicasets",
  StatefulSet: "apps/statefulsets",
  ReplicationController: "/replicationcontrollers",
};

/** How many pods the owners of these want, each owner once. */
function scaleOf({ client }: Runtime, selected: readonly Pod[]): number {
  const counted = new Set<string>();
  let sum = 0;
  for (const pod of selected) {
    const owner = controllerOf(pod);
    if (owner === undefined) sum += 1;
    if (owner === undefined || counted.has(owner.uid)) continue;
    counted.add(owner.uid);
    const resource = scaled[owner.kind];
    const object =
      resource === undefined
        ? undefined
        : client.get(resource, pod.metadata.namespace ?? "", owner.name);
    const { replicas } = (object?.["spec"] ?? {}) as { readonly replicas?: number };
    sum += replicas ?? selected.filter((each) => controllerOf(each)?.uid === owner.uid).length;
  }
  return sum;
}
