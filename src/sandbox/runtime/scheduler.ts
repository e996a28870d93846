import type { KubernetesObject } from "../../objects/index.ts";
import { bindPod } from "./bind-pod.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { EventWriter } from "./event-writer.ts";
import { InternalClient } from "./internal-client.ts";
import { misfit } from "./node-fit.ts";
import { type Lack, NodeLoads } from "./node-loads.ts";
import { asPod, isFinished, podCondition } from "./pod-state.ts";
import type { Pod, PodCondition } from "./pod-types.ts";
import { type Runtime, claims, nodes, pods } from "./runtime.ts";
import { troubleOf } from "./trouble.ts";
import { waitsForConsumer } from "./storage-class.ts";

const component = "default-scheduler";
const selectedNode = "volume.kubernetes.io/selected-node";

/** Finds a node for every pod, or says why there is none. */
export function scheduler(runtime: Runtime): Controller {
  const queue = new Scheduler(runtime);
  return {
    name: "scheduler",
    watches: [pods, nodes, claims],
    keysOf: ({ resource, type, stored }) => {
      if (resource === pods) {
        const hasMadeRoom = queue.take(asPod(stored.object), type === "DELETED");
        if (hasMadeRoom) return queue.waiting();
        return type !== "DELETED" && needsNode(asPod(stored.object)) ? [stored] : [];
      }
      // What a pod waits for may just have come.
      if (resource === nodes) return queue.waiting();
      return resource === claims ? queue.waiting(stored.namespace) : [];
    },
    reconcile: (key) => {
      queue.schedule(key);
      return undefined;
    },
  };
}

function needsNode(pod: Pod): boolean {
  const { nodeName = "", schedulerName = component } = pod.spec;
  return nodeName === "" && schedulerName === component && !isFinished(pod);
}

class Scheduler {
  readonly #runtime: Runtime;
  readonly #client: InternalClient;
  readonly #events: EventWriter;
  readonly #waiting = new Map<string, ObjectKey>();
  readonly #loads = new NodeLoads();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#client = new InternalClient(runtime.api, "kube-scheduler");
    this.#events = new EventWriter(
      runtime.api,
      component,
      "kube-scheduler",
      `${component}-sandbox`,
    );
  }

  /** Keeps count of what waits and of what runs where; true when a pod has made room for others. */
  take(pod: Pod, isDeleted: boolean): boolean {
    const { namespace = "", name = "" } = pod.metadata;
    const id = `${namespace}/${name}`;
    if (!isDeleted && needsNode(pod)) this.#waiting.set(id, { namespace, name });
    else this.#waiting.delete(id);
    return this.#loads.take(pod, isDeleted);
  }

  waiting(namespace?: string): readonly ObjectKey[] {
    const all = [...this.#waiting.values()];
    return namespace === undefined ? all : all.filter((key) => key.namespace === namespace);
  }

  schedule({ namespace, name }: ObjectKey): void {
    const object = this.#client.get(pods, namespace, name);
    if (object === undefined) return;
    const pod = asPod(object);
    if (!needsNode(pod) || pod.metadata.deletionTimestamp !== undefined) return;
    if ((pod.spec.schedulingGates ?? []).length > 0) {
      this.#gate(pod);
      return;
    }
    const all = this.#client.list(nodes);
    const why = this.#blockedByClaims(pod);
    const fitting = why === undefined ? this.#fitting(pod, all) : { reason: why, crowded: 0 };
    if ("reason" in fitting) {
      this.#refuse(pod, all.length, fitting);
      return;
    }
    if (!this.#selectForClaims(pod, fitting.node)) return;
    bindPod(this.#runtime.api, pod, fitting.node);
    this.#events.record(pod, {
      reason: "Scheduled",
      message: `Successfully assigned ${namespace}/${name} to ${fitting.node}`,
      action: "Binding",
    });
  }

  #fitting(
    pod: Pod,
    all: readonly KubernetesObject[],
  ): { readonly node: string } | { readonly reason: string; readonly crowded: number } {
    const reasons = new Map<string, number>();
    let best: string | undefined;
    let crowded = 0;
    for (const node of all) {
      const found = this.#misfits(pod, node);
      const { name = "" } = node.metadata;
      for (const reason of found?.reasons ?? []) {
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      if (found?.isTaken === true) crowded++;
      if (found !== undefined) continue;
      if (best === undefined || this.#loads.podsOn(name) < this.#loads.podsOn(best)) best = name;
    }
    if (best !== undefined) return { node: best };
    const counted = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
    return { reason: counted.join(", "), crowded };
  }

  #misfits(pod: Pod, node: KubernetesObject): Lack | undefined {
    const isRefused = troubleOf(pod).kind === "unschedulable";
    const reason = isRefused ? "node(s) were unschedulable" : misfit(pod.spec, node);
    if (reason !== undefined) return { reasons: [reason], isTaken: false };
    return this.#loads.lack(pod.spec, node);
  }

  #blockedByClaims(pod: Pod): string | undefined {
    const { namespace = "" } = pod.metadata;
    for (const name of claimNames(pod)) {
      const claim = this.#client.get(claims, namespace, name);
      if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
      if (claim.metadata.deletionTimestamp !== undefined)
        return `persistentvolumeclaim "${name}" is being deleted`;
      if (isUnbound(claim) && !waitsForConsumer(this.#runtime, claim))
        return "pod has unbound immediate PersistentVolumeClaims";
    }
    return undefined;
  }

  /** Tells claims that wait for a consumer where it is; true when all are bound. */
  #selectForClaims(pod: Pod, node: string): boolean {
    const { namespace = "" } = pod.metadata;
    const unbound = claimNames(pod).filter((name) => {
      const claim = this.#client.get(claims, namespace, name);
      return claim !== undefined && isUnbound(claim);
    });
    for (const name of unbound) {
      this.#client.update(claims, namespace, name, (live) => ({
        ...live,
        metadata: {
          ...live.metadata,
          annotations: { ...live.metadata.annotations, [selectedNode]: node },
        },
      }));
    }
    return unbound.length === 0;
  }

  #gate(pod: Pod): void {
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    this.#writeCondition(pod, { reason: "SchedulingGated", message });
  }

  #refuse(
    pod: Pod,
    nodeCount: number,
    { reason, crowded }: { readonly reason: string; readonly crowded: number },
  ): void {
    const prefix = `0/${nodeCount} nodes are available`;
    // Nobody is turned out for another pod here.
    const preemption = [
      ...(crowded === 0 ? [] : [`${crowded} No preemption victims found for incoming pod`]),
      ...(crowded === nodeCount
        ? []
        : [`${nodeCount - crowded} Preemption is not helpful for scheduling`]),
    ].join(", ");
    const message =
      nodeCount === 0
        ? "no nodes available to schedule pods"
        : `${prefix}: ${reason}. no new claims to deallocate, preemption: ${prefix}: ${preemption}.`;
    const isNews = podCondition(pod, "PodScheduled")?.message !== message;
    this.#writeCondition(pod, { reason: "Unschedulable", message });
    if (isNews) {
      const note = { reason: "FailedScheduling", message, action: "Scheduling" };
      this.#events.record(pod, { type: "Warning", ...note });
    }
  }

  #writeCondition(
    pod: Pod,
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    const before = podCondition(pod, "PodScheduled");
    if (before?.reason === reason && before.message === message) return;
    const condition: PodCondition = {
      type: "PodScheduled",
      status: "False",
      lastProbeTime: null,
      lastTransitionTime:
        before?.status === "False"
          ? (before.lastTransitionTime ?? this.#runtime.timestamp())
          : this.#runtime.timestamp(),
      reason,
      message,
      ...(pod.metadata.generation === undefined
        ? {}
        : { observedGeneration: pod.metadata.generation }),
    };
    const { namespace = "", name = "" } = pod.metadata;
    this.#client.updateStatus(pods, namespace, name, (live) => {
      const { status } = asPod(live);
      const others = (status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
      return { ...status, conditions: [...others, condition] };
    });
  }
}

/** The claims of a pod: those it names, and those made for its ephemeral volumes. */
export function claimNames({ spec, metadata }: Pod): readonly string[] {
  const names = (spec.volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) =>
    ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name ?? ""}-${name}`,
  );
  return names.filter((name) => name !== undefined);
}

function isUnbound(claim: KubernetesObject): boolean {
  const { phase } = (claim["status"] ?? {}) as { readonly phase?: string };
  return phase !== "Bound";
}
