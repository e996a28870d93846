import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { claimOwned } from "./adopt.ts";
import type { Controller } from "./controller.ts";
import { type Revision, currentRevision, dropRevisions } from "./controller-revisions.ts";
import { createPod } from "./create-pod.ts";
import type { EventWriter } from "./event-writer.ts";
import { intOrPercent } from "./int-or-percent.ts";
import { isTolerated, matchesNode } from "./node-fit.ts";
import {
  isAvailable,
  isFinished,
  isPodReady,
  isPodTerminating,
  nextAvailableMs,
} from "./pod-state.ts";
import type { Pod, PodSpec, PodTemplate, Toleration } from "./pod-types.ts";
import { positive } from "./replica-set-controller.ts";
import { type Runtime, daemonSets, nodes, pods } from "./runtime.ts";
import type { ObjectSelector } from "../api/object-selector.ts";
import { putStatus } from "./put-status.ts";

interface DaemonSet extends KubernetesObject {
  readonly spec: {
    readonly selector?: ObjectSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
    };
  };
}

const revisionLabel = "controller-revision-hash";
const templateGeneration = "deprecated.daemonset.template.generation";
const retryMs = 5000;

const tolerated: readonly Toleration[] = [
  ...["not-ready", "unreachable"].map((name) => ({ name, effect: "NoExecute" })),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((name) => ({
    name,
    effect: "NoSchedule",
  })),
].map(({ name, effect }) => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect }));

/** Keeps one pod of a DaemonSet on every node that it wants. */
export function daemonSetController(runtime: Runtime): Controller {
  const events = runtime.recorder("daemonset-controller");
  return {
    name: "daemon-set",
    watches: [daemonSets, nodes, pods],
    keysOf: ({ resource, type, stored }) => {
      if (resource === daemonSets) return type === "DELETED" ? [] : [stored];
      if (resource === nodes) {
        return runtime.api.store
          .list(daemonSets)
          .map(({ namespace, name }) => ({ namespace, name }));
      }
      if (resource !== pods) return [];
      const owner = controllerOf(stored.object);
      return owner?.kind === "DaemonSet" ? [{ namespace: stored.namespace, name: owner.name }] : [];
    },
    reconcile: ({ namespace, name }) => {
      const set = runtime.client.get(daemonSets, namespace, name);
      return set === undefined
        ? undefined
        : new DaemonSync(runtime, events, set as DaemonSet).sync();
    },
  };
}

class DaemonSync {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #set: DaemonSet;
  readonly #generation: string;
  #isRefused = false;

  constructor(runtime: Runtime, events: EventWriter, set: DaemonSet) {
    this.#runtime = runtime;
    this.#events = events;
    this.#set = set;
    this.#generation =
      set.metadata.annotations?.[templateGeneration] ?? String(set.metadata.generation ?? 1);
  }

  sync(): number | undefined {
    const set = this.#set;
    claimOwned(this.#runtime, pods, set, set.spec.selector);
    const revision = currentRevision(this.#runtime, {
      owner: set,
      template: set.spec.template,
      hashLabel: revisionLabel,
      annotations: { [templateGeneration]: this.#generation },
    });
    const hash = revision.metadata.labels?.[revisionLabel] ?? "";
    const wanted = this.#runtime.client.list(nodes).filter((node) => this.#wants(node));
    if (set.metadata.deletionTimestamp === undefined) {
      this.#place(wanted, hash);
      if (set.spec.updateStrategy?.type !== "OnDelete") this.#update(wanted.length, hash);
    }
    const owned = this.#runtime.podsOwnedBy(set);
    putStatus(this.#runtime.client, daemonSets, set, this.#status(owned, wanted, hash));
    this.#dropRevisions(owned, revision);
    const nextMs = nextAvailableMs(owned, set.spec.minReadySeconds ?? 0, this.#runtime.now());
    return this.#isRefused ? retryMs : nextMs;
  }

  #wants(node: KubernetesObject): boolean {
    const spec = this.#spec();
    const { taints = [] } = (node["spec"] ?? {}) as {
      taints?: readonly { key: string; value?: string; effect: string }[];
    };
    return (
      matchesNode(spec, node) &&
      taints.every(
        (taint) =>
          taint.effect === "PreferNoSchedule" || isTolerated(taint, spec.tolerations ?? []),
      )
    );
  }

  #spec(): PodSpec {
    const spec: PodSpec = { containers: [], ...this.#set.spec.template.spec };
    const own = spec.tolerations ?? [];
    const isSame = (left: Toleration, right: Toleration): boolean =>
      left.key === right.key && left.effect === right.effect && left.operator === right.operator;
    const added = tolerated.filter((each) => !own.some((other) => isSame(each, other)));
    return { ...spec, tolerations: [...own, ...added] };
  }

  /** One pod per wanted node, none elsewhere; those that ended are replaced. */
  #place(wanted: readonly KubernetesObject[], hash: string): void {
    const byNode = new Map<string, Pod[]>();
    for (const pod of this.#runtime.podsOwnedBy(this.#set)) {
      const node = nodeOf(pod);
      byNode.set(node, [...(byNode.get(node) ?? []), pod]);
    }
    const names = new Set(wanted.map(({ metadata }) => metadata.name ?? ""));
    for (const [node, here] of byNode) {
      const going = here.filter(isPodTerminating);
      const staying = here.filter((pod) => !isPodTerminating(pod));
      const alive = staying.filter((pod) => !isFinished(pod));
      for (const pod of staying) if (isFinished(pod) || !names.has(node)) this.#delete(pod);
      for (const pod of alive.slice(1)) this.#delete(pod);
      if (alive.length > 0 || going.length > 0) names.delete(node);
    }
    for (const node of names) if (!this.#create(node, hash)) return;
  }

  #create(node: string, hash: string): boolean {
    const spec = this.#spec();
    const result = createPod(this.#runtime, {
      owner: this.#set,
      template: this.#set.spec.template,
      labels: { [revisionLabel]: hash, "pod-template-generation": this.#generation },
      spec: { ...spec, affinity: onNode(spec, node) },
    });
    if ("refused" in result) {
      this.#isRefused = true;
      const { message = "" } = result.refused.status;
      const note = { reason: "FailedCreate", message: `Error creating: ${message}` };
      this.#events.record(this.#set, { type: "Warning", ...note });
      return false;
    }
    this.#events.record(this.#set, {
      reason: "SuccessfulCreate",
      message: `Created pod: ${result.object.metadata.name ?? ""}`,
    });
    return true;
  }

  /** Replaces pods of an old template, as many at a time as may be missing. */
  #update(wanted: number, hash: string): void {
    const { maxUnavailable } = this.#set.spec.updateStrategy?.rollingUpdate ?? {};
    const allowed = Math.max(1, intOrPercent(maxUnavailable ?? 1, wanted, "up"));
    const owned = this.#runtime.podsOwnedBy(this.#set);
    const alive = owned.filter((pod) => !isPodTerminating(pod));
    const available = alive.filter((pod) => this.#isAvailable(pod));
    const old = alive.filter(({ metadata }) => metadata.labels?.[revisionLabel] !== hash);
    const broken = old.filter((pod) => !this.#isAvailable(pod));
    const room = Math.max(0, allowed - (wanted - available.length));
    const working = old.filter((pod) => this.#isAvailable(pod)).slice(0, room);
    for (const pod of [...broken, ...working]) this.#delete(pod);
  }

  #isAvailable(pod: Pod): boolean {
    return isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#runtime.now());
  }

  #delete(pod: Pod): void {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    this.#runtime.client.delete(pods, namespace, name, { preconditions: { uid } });
    const message = `Deleted pod: ${name}`;
    this.#events.record(this.#set, { reason: "SuccessfulDelete", message });
  }

  #dropRevisions(owned: readonly Pod[], { metadata }: Revision): void {
    const name = this.#set.metadata.name ?? "";
    const inUse = owned.map((pod) => `${name}-${pod.metadata.labels?.[revisionLabel] ?? ""}`);
    const limit = this.#set.spec.revisionHistoryLimit ?? 10;
    dropRevisions(this.#runtime, this.#set, limit, new Set([metadata.name ?? "", ...inUse]));
  }

  #status(owned: readonly Pod[], wanted: readonly KubernetesObject[], hash: string): object {
    const names = new Set(wanted.map(({ metadata }) => metadata.name ?? ""));
    const alive = owned.filter((pod) => !isPodTerminating(pod) && !isFinished(pod));
    const placed = alive.filter((pod) => names.has(nodeOf(pod)));
    const available = placed.filter((pod) => this.#isAvailable(pod)).length;
    return {
      currentNumberScheduled: placed.length,
      numberMisscheduled: alive.length - placed.length,
      desiredNumberScheduled: wanted.length,
      numberReady: placed.filter(isPodReady).length,
      observedGeneration: this.#set.metadata.generation ?? 1,
      ...positive(
        "updatedNumberScheduled",
        placed.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length,
      ),
      ...positive("numberAvailable", available),
      ...positive("numberUnavailable", wanted.length - available),
    };
  }
}

/** The node of a pod, or the one that it asks for while it waits. */
function nodeOf({ spec }: Pod): string {
  if (spec.nodeName !== undefined && spec.nodeName !== "") return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = required?.nodeSelectorTerms?.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  return fields.find(({ key }) => key === "metadata.name")?.values?.[0] ?? "";
}

function onNode(spec: PodSpec, node: string): NonNullable<PodSpec["affinity"]> {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = { key: "metadata.name", operator: "In", values: [node] };
  const terms = (required?.nodeSelectorTerms ?? [{}]).map((term) => ({
    ...term,
    matchFields: [field],
  }));
  return {
    ...spec.affinity,
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  };
}
