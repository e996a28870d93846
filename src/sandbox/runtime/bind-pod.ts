import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../clock.ts";
import { asPod } from "./pod-state.ts";

/** Puts a pod on a node, as its `binding` subresource does: nobody becomes owner of what it sets. */
export function bindPod(
  { store, clock }: ApiContext,
  pod: KubernetesObject,
  nodeName: string,
): KubernetesObject {
  const { spec, status } = asPod(pod);
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock.now()),
    ...(pod.metadata.generation === undefined
      ? {}
      : { observedGeneration: pod.metadata.generation }),
  };
  return store.put("/pods", {
    ...pod,
    spec: { ...spec, nodeName },
    status: { ...status, conditions: [...others, scheduled] },
  }).object;
}
