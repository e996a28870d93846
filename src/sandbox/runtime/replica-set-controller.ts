import type { Condition } from "../../causes/index.ts";
import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { claimOwned } from "./adopt.ts";
import { findCondition, transitionTime } from "./conditions.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { createPod } from "./create-pod.ts";
import type { EventWriter } from "./event-writer.ts";
import {
  asPod,
  isActive,
  isAvailable,
  isFinished,
  isPodReady,
  isPodTerminating,
  nextAvailableMs,
} from "./pod-state.ts";
import type { Pod, PodTemplate } from "./pod-types.ts";
import { rankForDeletion } from "./rank-for-deletion.ts";
import { type Runtime, pods, replicaSets } from "./runtime.ts";
import { type ObjectSelector, selects } from "../api/object-selector.ts";
import { SelectorIndex } from "./selector-index.ts";
import { putStatus } from "./put-status.ts";

interface Flavour {
  readonly resource: string;
  readonly kind: string;
  readonly component: string;
  readonly selectorOf: (object: KubernetesObject) => ObjectSelector | undefined;
}

interface ReplicaSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly template?: PodTemplate;
}

const retryMs = 5000;

/** Keeps as many pods of a ReplicaSet as it asks for. */
export function replicaSetController(runtime: Runtime): Controller {
  return replicaController(runtime, {
    resource: replicaSets,
    kind: "ReplicaSet",
    component: "replicaset-controller",
    selectorOf: ({ spec }) => (spec as { readonly selector?: ObjectSelector }).selector,
  });
}

/** The same for the older ReplicationController. */
export function replicationController(runtime: Runtime): Controller {
  return replicaController(runtime, {
    resource: "/replicationcontrollers",
    kind: "ReplicationController",
    component: "replication-controller",
    selectorOf: ({ spec }) => {
      const { selector } = spec as { readonly selector?: Readonly<Record<string, string>> };
      return selector === undefined ? undefined : { matchLabels: selector };
    },
  });
}

function replicaController(runtime: Runtime, flavour: Flavour): Controller {
  const selectors = new SelectorIndex(flavour.resource, flavour.selectorOf);
  const worker = new ReplicaWorker(runtime, flavour);
  return {
    name: flavour.component,
    watches: [flavour.resource, pods],
    keysOf: (change) => {
      selectors.update(change);
      const { resource, type, stored, previous } = change;
      if (resource === flavour.resource) return type === "DELETED" ? [] : [stored];
      if (resource !== pods) return [];
      const owners = [stored.object, previous?.object].map((object) =>
        object === undefined ? undefined : controllerOf(object),
      );
      const keys: ObjectKey[] = owners
        .filter((owner) => owner?.kind === flavour.kind)
        .map((owner) => ({ namespace: stored.namespace, name: owner?.name ?? "" }));
      return owners[0] === undefined && type !== "DELETED"
        ? [...keys, ...selectors.selecting(stored.namespace, stored.object.metadata.labels)]
        : keys;
    },
    reconcile: ({ namespace, name }) => {
      const set = runtime.client.get(flavour.resource, namespace, name);
      return set === undefined ? undefined : worker.sync(set);
    },
  };
}

class ReplicaWorker {
  readonly #runtime: Runtime;
  readonly #flavour: Flavour;
  readonly #events: EventWriter;

  constructor(runtime: Runtime, flavour: Flavour) {
    this.#runtime = runtime;
    this.#flavour = flavour;
    this.#events = runtime.recorder(flavour.component);
  }

  sync(set: KubernetesObject): number | undefined {
    const { resource, selectorOf } = this.#flavour;
    const spec = (set["spec"] ?? {}) as ReplicaSpec;
    const owned = claimOwned(this.#runtime, pods, set, selectorOf(set)).map(asPod);
    const active = owned.filter(isActive);
    const refused =
      set.metadata.deletionTimestamp === undefined ? this.#scale(set, spec, active) : undefined;
    const now = this.#runtime.podsOwnedBy(set);
    putStatus(this.#runtime.client, resource, set, this.#status(set, spec, now, refused?.failure));
    const nextMs = nextAvailableMs(
      now.filter(isActive),
      spec.minReadySeconds ?? 0,
      this.#runtime.now(),
    );
    return refused === undefined ? nextMs : retryMs;
  }

  /** Creates what is missing or deletes what is too many; says what was refused. */
  #scale(
    set: KubernetesObject,
    { replicas = 1, template = {} }: ReplicaSpec,
    active: readonly Pod[],
  ): { readonly failure: string } | undefined {
    for (let missing = replicas - active.length; missing > 0; missing--) {
      const result = createPod(this.#runtime, { owner: set, template });
      if ("refused" in result) {
        const { message = "" } = result.refused.status;
        // A namespace on its way out wants no more of this, and no events either.
        this.#events.record(set, {
          type: "Warning",
          reason: "FailedCreate",
          message: `Error creating: ${message}`,
        });
        return { failure: message };
      }
      this.#events.record(set, {
        reason: "SuccessfulCreate",
        message: `Created pod: ${result.object.metadata.name ?? ""}`,
      });
    }
    const surplus = rankForDeletion(active).slice(0, Math.max(0, active.length - replicas));
    for (const { metadata } of surplus) {
      const { namespace = "", name = "", uid = "" } = metadata;
      this.#runtime.client.delete(pods, namespace, name, { preconditions: { uid } });
      this.#events.record(set, { reason: "SuccessfulDelete", message: `Deleted pod: ${name}` });
    }
    return undefined;
  }

  #status(
    set: KubernetesObject,
    { minReadySeconds = 0, template, replicas = 1 }: ReplicaSpec,
    owned: readonly Pod[],
    failure: string | undefined,
  ): object {
    const now = this.#runtime.now();
    const active = owned.filter(isActive);
    const templateLabels = { matchLabels: template?.metadata?.labels ?? {} };
    const labelled = active.filter(({ metadata }) => selects(templateLabels, metadata.labels));
    const ready = active.filter(isPodReady);
    const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, now));
    const terminating = owned.filter((pod) => isPodTerminating(pod) && !isFinished(pod));
    const before = (set["status"] ?? {}) as { readonly conditions?: readonly Condition[] };
    const conditions = this.#conditions(before.conditions, failure, active.length, replicas);
    const isReplicaSet = this.#flavour.resource === replicaSets;
    return {
      replicas: active.length,
      ...positive("fullyLabeledReplicas", labelled.length),
      ...positive("readyReplicas", ready.length),
      ...positive("availableReplicas", available.length),
      ...(isReplicaSet ? { terminatingReplicas: terminating.length } : {}),
      observedGeneration: set.metadata.generation ?? 1,
      ...(conditions.length === 0 ? {} : { conditions }),
    };
  }

  #conditions(
    before: readonly Condition[] = [],
    failure: string | undefined,
    have: number,
    want: number,
  ): readonly Condition[] {
    const others = before.filter(({ type }) => type !== "ReplicaFailure");
    if (failure === undefined) return others;
    const earlier = findCondition(before, "ReplicaFailure");
    if (earlier !== undefined) return before;
    const condition = { type: "ReplicaFailure", status: "True" };
    return [
      ...others,
      {
        ...condition,
        lastTransitionTime: transitionTime(before, condition, this.#runtime.timestamp()),
        reason: have < want ? "FailedCreate" : "FailedDelete",
        message: failure,
      },
    ];
  }
}

/** Counts of zero are left out, as the server leaves them out. */
export function positive(field: string, count: number): Readonly<Record<string, number>> {
  return count > 0 ? { [field]: count } : {};
}
