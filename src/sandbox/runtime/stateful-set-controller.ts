import { controllerOf } from "../../objects/index.ts";
import { claimOwned } from "./adopt.ts";
import type { Controller } from "./controller.ts";
import {
  type Revision,
  currentRevision,
  dropRevisions,
  revisionsOf,
} from "./controller-revisions.ts";
import type { EventWriter } from "./event-writer.ts";
import { intOrPercent } from "./int-or-percent.ts";
import {
  asPod,
  isAvailable,
  isFinished,
  isPodReady,
  isPodTerminating,
  nextAvailableMs,
} from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import { positive } from "./replica-set-controller.ts";
import { type Runtime, pods, statefulSets } from "./runtime.ts";
import type { ObjectSelector } from "../api/object-selector.ts";
import { SelectorIndex } from "./selector-index.ts";
import { condemnClaims, createStatefulPod } from "./stateful-set-pod.ts";
import {
  type StatefulSet,
  isOrdered,
  ordinalOf,
  replicasOf,
  revisionLabel,
  revisionOfPod,
  firstOrdinal,
} from "./stateful-set-types.ts";
import { putStatus } from "./put-status.ts";

const retryMs = 5000;

/** Keeps the numbered pods of StatefulSets, in order. */
export function statefulSetController(runtime: Runtime): Controller {
  const events = runtime.recorder("statefulset-controller");
  const selectors = new SelectorIndex(
    statefulSets,
    ({ spec }) => (spec as { readonly selector?: ObjectSelector }).selector,
  );
  return {
    name: "stateful-set",
    watches: [statefulSets, pods],
    keysOf: (change) => {
      selectors.update(change);
      const { resource, type, stored } = change;
      if (resource === statefulSets) return type === "DELETED" ? [] : [stored];
      if (resource !== pods) return [];
      const owner = controllerOf(stored.object);
      if (owner === undefined) {
        return selectors.selecting(stored.namespace, stored.object.metadata.labels);
      }
      return owner.kind === "StatefulSet"
        ? [{ namespace: stored.namespace, name: owner.name }]
        : [];
    },
    reconcile: ({ namespace, name }) => {
      const set = runtime.client.get(statefulSets, namespace, name);
      return set === undefined
        ? undefined
        : new StatefulSync(runtime, events, set as StatefulSet).sync();
    },
  };
}

class StatefulSync {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #set: StatefulSet;
  #isRefused = false;

  constructor(runtime: Runtime, events: EventWriter, set: StatefulSet) {
    this.#runtime = runtime;
    this.#events = events;
    this.#set = set;
  }

  sync(): number | undefined {
    const set = this.#set;
    const owned = claimOwned(this.#runtime, pods, set, set.spec.selector).map(asPod);
    const update = currentRevision(this.#runtime, {
      owner: set,
      template: set.spec.template,
      hashLabel: "controller.kubernetes.io/hash",
    });
    const current =
      revisionsOf(this.#runtime, set).find(
        ({ metadata }) => metadata.name === set.status?.currentRevision,
      ) ?? update;
    if (set.metadata.deletionTimestamp === undefined) this.#move(owned, current, update);
    const now = this.#runtime.podsOwnedBy(set);
    putStatus(this.#runtime.client, statefulSets, set, this.#status(now, current, update));
    const inUse = [current, update].map(({ metadata }) => metadata.name ?? "");
    const limit = set.spec.revisionHistoryLimit ?? 10;
    dropRevisions(this.#runtime, set, limit, new Set([...inUse, ...now.map(revisionOfPod)]));
    const nextMs = nextAvailableMs(now, set.spec.minReadySeconds ?? 0, this.#runtime.now());
    return this.#isRefused ? retryMs : nextMs;
  }

  /** One pass: creates, then takes away, then updates; an ordered set does one step at a time. */
  #move(owned: readonly Pod[], current: Revision, update: Revision): void {
    const set = this.#set;
    const start = firstOrdinal(set);
    const end = start + replicasOf(set);
    const byOrdinal = new Map<number, Pod>();
    for (const pod of owned) {
      const ordinal = ordinalOf(pod, set);
      if (ordinal !== undefined) byOrdinal.set(ordinal, pod);
    }
    if (!this.#fill(byOrdinal, current, update, start, end)) return;
    const condemned = [...byOrdinal.entries()]
      .filter(([ordinal]) => ordinal < start || ordinal >= end)
      .sort(([left], [right]) => right - left)
      .map(([, pod]) => pod);
    if (!this.#shrink(condemned, byOrdinal)) return;
    if (set.spec.updateStrategy?.type !== "OnDelete") this.#update(byOrdinal, update, start, end);
  }

  /** True when every pod that should be there is there and, in an ordered set, available. */
  #fill(
    byOrdinal: ReadonlyMap<number, Pod>,
    current: Revision,
    update: Revision,
    start: number,
    end: number,
  ): boolean {
    const ordered = isOrdered(this.#set);
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined) {
        const revision = this.#isOfCurrent(ordinal) ? current : update;
        const isCreated = createStatefulPod(
          this.#runtime,
          this.#events,
          this.#set,
          ordinal,
          revision,
        );
        if (!isCreated) this.#isRefused = true;
        if (ordered || !isCreated) return false;
        continue;
      }
      if (isFinished(pod) && !isPodTerminating(pod)) {
        this.#delete(pod);
        if (ordered) return false;
        continue;
      }
      if (ordered && (isPodTerminating(pod) || !this.#isAvailable(pod))) return false;
    }
    return true;
  }

  /** Pods below the partition, and those that an update has not reached, keep the old revision. */
  #isOfCurrent(ordinal: number): boolean {
    const { updateStrategy } = this.#set.spec;
    const { currentRevision: before, updateRevision, currentReplicas = 0 } = this.#set.status ?? {};
    if (updateStrategy?.type === "OnDelete" || before === undefined) return false;
    const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
    const start = firstOrdinal(this.#set);
    if (partition > 0) return ordinal < start + partition;
    return before !== updateRevision && ordinal < start + currentReplicas;
  }

  #shrink(condemned: readonly Pod[], byOrdinal: ReadonlyMap<number, Pod>): boolean {
    const ordered = isOrdered(this.#set);
    const unhealthy = [...byOrdinal.values()].filter(
      (pod) => !isPodReady(pod) || isPodTerminating(pod),
    );
    for (const pod of condemned) {
      if (isPodTerminating(pod)) {
        if (ordered) return false;
        continue;
      }
      const isFirstUnhealthy = unhealthy.length > 0 && unhealthy[0] === pod;
      if (ordered && !this.#isAvailable(pod) && !isFirstUnhealthy && unhealthy.length > 1)
        return false;
      condemnClaims(this.#runtime, this.#set, pod);
      this.#delete(pod);
      if (ordered) return false;
    }
    return condemned.length === 0 || !ordered;
  }

  /** Replaces pods of an old revision, from the last one down to the partition. */
  #update(byOrdinal: ReadonlyMap<number, Pod>, update: Revision, start: number, end: number): void {
    const { partition = 0, maxUnavailable } = this.#set.spec.updateStrategy?.rollingUpdate ?? {};
    const replicas = replicasOf(this.#set);
    const allowed = Math.max(1, intOrPercent(maxUnavailable ?? 1, replicas, "up"));
    const isDown = (pod: Pod): boolean => isPodTerminating(pod) || !this.#isAvailable(pod);
    let down = 0;
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined || isDown(pod)) down++;
    }
    for (let ordinal = end - 1; ordinal >= start + partition; ordinal--) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined) continue;
      if (revisionOfPod(pod) !== update.metadata.name && !isPodTerminating(pod)) {
        if (down >= allowed && !isDown(pod)) return;
        this.#delete(pod);
        if (!isDown(pod)) down++;
        if (down >= allowed) return;
      } else if (isDown(pod) && allowed === 1) {
        return;
      }
    }
  }

  #isAvailable(pod: Pod): boolean {
    return isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#runtime.now());
  }

  #delete(pod: Pod): void {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    this.#runtime.client.delete(pods, namespace, name, { preconditions: { uid } });
    this.#events.record(this.#set, {
      reason: "SuccessfulDelete",
      message: `Delete Pod ${name} in StatefulSet ${this.#set.metadata.name ?? ""} successful`,
    });
  }

  #status(owned: readonly Pod[], current: Revision, update: Revision): object {
    const set = this.#set;
    const count = (test: (pod: Pod) => boolean): number => owned.filter(test).length;
    const isOf = (revision: Revision) => (pod: Pod) =>
      !isPodTerminating(pod) && pod.metadata.labels?.[revisionLabel] === revision.metadata.name;
    const replicas = count((pod) => !isFinished(pod) || isPodTerminating(pod));
    const ready = count((pod) => isPodReady(pod) && !isPodTerminating(pod));
    const updated = count(isOf(update));
    const isThrough =
      set.spec.updateStrategy?.type !== "OnDelete" &&
      updated === replicas &&
      ready === replicas &&
      updated === replicasOf(set);
    const shown = isThrough ? update : current;
    return {
      observedGeneration: set.metadata.generation ?? 1,
      replicas,
      ...positive("readyReplicas", ready),
      ...positive("currentReplicas", count(isOf(shown))),
      ...positive("updatedReplicas", updated),
      currentRevision: shown.metadata.name,
      updateRevision: update.metadata.name,
      collisionCount: 0,
      availableReplicas: count((pod) => !isPodTerminating(pod) && this.#isAvailable(pod)),
    };
  }
}
