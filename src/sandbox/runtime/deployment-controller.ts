import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { claimOwned } from "./adopt.ts";
import { findCondition } from "./conditions.ts";
import type { Controller } from "./controller.ts";
import { byAge, createNewSet, findNewSet, syncRevision } from "./deployment-revision.ts";
import { DeploymentScaler } from "./deployment-scale.ts";
import {
  countedStatus,
  hasDeadline,
  isComplete,
  untilDeadlineMs,
  withCondition,
  withProgress,
} from "./deployment-status.ts";
import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  type ReplicaSet,
  isRolling,
  maxSurge,
  maxUnavailable,
  revisionAnnotation,
  revisionOf,
  total,
  wantedReplicas,
} from "./deployment-types.ts";
import type { EventWriter } from "./event-writer.ts";
import { isFinished } from "./pod-state.ts";
import { type Runtime, deployments, pods, replicaSets } from "./runtime.ts";
import type { ObjectSelector } from "../api/object-selector.ts";
import { SelectorIndex } from "./selector-index.ts";
import { putStatus } from "./put-status.ts";

/** Rolls deployments out, one ReplicaSet per template. */
export function deploymentController(runtime: Runtime): Controller {
  const events = runtime.recorder("deployment-controller");
  const selectors = new SelectorIndex(
    deployments,
    ({ spec }) => (spec as { readonly selector?: ObjectSelector }).selector,
  );
  return {
    name: "deployment",
    watches: [deployments, replicaSets, pods],
    keysOf: (change) => {
      selectors.update(change);
      const { resource, type, stored, previous } = change;
      if (resource === deployments) return type === "DELETED" ? [] : [stored];
      const { namespace, object } = stored;
      if (resource === replicaSets) {
        const owner = controllerOf(object) ?? (previous && controllerOf(previous.object));
        if (owner?.kind === "Deployment") return [{ namespace, name: owner.name }];
        return owner === undefined && type !== "DELETED"
          ? selectors.selecting(namespace, object.metadata.labels)
          : [];
      }
      // A deployment that recreates its pods waits for the last old one to be gone.
      return resource === pods && type === "DELETED"
        ? selectors.selecting(namespace, object.metadata.labels)
        : [];
    },
    reconcile: ({ namespace, name }) => {
      const found = runtime.client.get(deployments, namespace, name);
      return found === undefined
        ? undefined
        : new Rollout(runtime, events, found as Deployment).sync();
    },
  };
}

class Rollout {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #scaler: DeploymentScaler;
  /** With what is going to be written into its status already in it. */
  #deployment: Deployment;
  #revision: string | undefined;

  constructor(runtime: Runtime, events: EventWriter, deployment: Deployment) {
    this.#runtime = runtime;
    this.#events = events;
    this.#deployment = deployment;
    this.#scaler = new DeploymentScaler(runtime, events, deployment);
  }

  sync(): number | undefined {
    const deployment = this.#deployment;
    const { selector, paused } = deployment.spec;
    const claimed = claimOwned(this.#runtime, replicaSets, deployment, selector);
    const sets = claimed as readonly ReplicaSet[];
    if (deployment.metadata.deletionTimestamp !== undefined) {
      this.#writeCounted(sets);
      return undefined;
    }
    this.#notePause();
    if (paused === true || this.#scaler.isScaled(sets)) return this.#scaleOnly(sets);
    return isRolling(deployment) ? this.#roll(sets) : this.#recreate(sets);
  }

  #roll(sets: readonly ReplicaSet[]): number | undefined {
    const { newSet, oldSets } = this.#split(sets, "create");
    const all = newSet === undefined ? oldSets : [newSet, ...oldSets];
    if (newSet !== undefined && this.#growNew(newSet, all)) return this.#writeRollout();
    if (this.#shrinkOld(newSet, oldSets, all)) return this.#writeRollout();
    this.#dropHistory(oldSets);
    return this.#writeRollout();
  }

  #recreate(sets: readonly ReplicaSet[]): number | undefined {
    const { newSet, oldSets } = this.#split(sets, "find");
    const scaled = oldSets.filter((set) => wantedReplicas(set) > 0);
    if (scaled.map((set) => this.#scaler.resize(set, 0)).includes(true))
      return this.#writeRollout();
    const isOldRunning = oldSets.some((set) =>
      this.#runtime.podsOwnedBy(set).some((pod) => !isFinished(pod)),
    );
    if (isOldRunning) return this.#writeRollout();
    const made = newSet ?? this.#split(sets, "create").newSet;
    if (made !== undefined) this.#scaler.resize(made, wantedReplicas(this.#deployment));
    this.#dropHistory(oldSets);
    return this.#writeRollout();
  }

  #scaleOnly(sets: readonly ReplicaSet[]): number | undefined {
    const { newSet, oldSets } = this.#split(sets, "find");
    this.#scaler.spread(newSet, oldSets);
    if (this.#deployment.spec.paused === true) this.#dropHistory(oldSets);
    this.#writeCounted(this.#currentSets());
    return undefined;
  }

  /** The set of the current template, made if there is none, and the others, oldest first. */
  #split(
    sets: readonly ReplicaSet[],
    missing: "create" | "find",
  ): { readonly newSet: ReplicaSet | undefined; readonly oldSets: readonly ReplicaSet[] } {
    const found = findNewSet(this.#deployment, sets);
    const oldSets = byAge(sets.filter((set) => set !== found));
    if (found !== undefined) {
      const newSet = syncRevision(this.#runtime, this.#deployment, found, oldSets);
      this.#revision = String(revisionOf(newSet));
      if (findCondition(this.#deployment.status?.conditions, "Progressing") === undefined) {
        const message = `Found new replica set "${found.metadata.name ?? ""}"`;
        this.#noteProgress({ status: "True", reason: "FoundNewReplicaSet", message });
      }
      return { newSet, oldSets };
    }
    return { newSet: missing === "create" ? this.#create(oldSets) : undefined, oldSets };
  }

  #create(oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
    const deployment = this.#deployment;
    const replicas = this.#sizeOfNew(0, oldSets);
    const result = createNewSet(this.#runtime, deployment, oldSets, replicas);
    if (result.kind === "refused") {
      const { message } = result;
      this.#noteProgress({ status: "False", reason: "ReplicaSetCreateError", message });
      return undefined;
    }
    this.#revision = String(revisionOf(result.set));
    const name = result.set.metadata.name ?? "";
    if (replicas > 0) {
      this.#events.record(deployment, {
        reason: "ScalingReplicaSet",
        message: `Scaled up replica set ${name} from 0 to ${replicas}`,
      });
    }
    const message = `Created new replica set "${name}"`;
    this.#noteProgress({ status: "True", reason: "NewReplicaSetCreated", message });
    return result.set;
  }

  #growNew(newSet: ReplicaSet, all: readonly ReplicaSet[]): boolean {
    const wanted = wantedReplicas(this.#deployment);
    const size = wantedReplicas(newSet);
    if (size >= wanted) return this.#scaler.resize(newSet, wanted);
    const others = all.filter((set) => set !== newSet);
    return this.#scaler.resize(newSet, this.#sizeOfNew(size, others));
  }

  /** As large as it may be without having too many pods in all. */
  #sizeOfNew(size: number, others: readonly ReplicaSet[]): number {
    const wanted = wantedReplicas(this.#deployment);
    if (!isRolling(this.#deployment)) return wanted;
    const most = wanted + maxSurge(this.#deployment);
    const room = most - total(others, wantedReplicas) - size;
    return room <= 0 ? size : size + Math.min(room, wanted - size);
  }

  /** Takes pods away from old sets, as far as enough stay available; unhealthy ones first. */
  #shrinkOld(
    newSet: ReplicaSet | undefined,
    oldSets: readonly ReplicaSet[],
    all: readonly ReplicaSet[],
  ): boolean {
    const old = oldSets.filter((set) => wantedReplicas(set) > 0);
    if (old.length === 0) return false;
    const least = wantedReplicas(this.#deployment) - maxUnavailable(this.#deployment);
    const newUnavailable =
      newSet === undefined ? 0 : wantedReplicas(newSet) - (newSet.status?.availableReplicas ?? 0);
    let most = total(all, wantedReplicas) - least - newUnavailable;
    if (most <= 0) return false;
    const sizes = new Map(old.map((set) => [set, wantedReplicas(set)]));
    for (const set of old) {
      const unhealthy = wantedReplicas(set) - (set.status?.availableReplicas ?? 0);
      const cut = Math.max(0, Math.min(most, unhealthy));
      sizes.set(set, wantedReplicas(set) - cut);
      most -= cut;
    }
    let spare = total(all, ({ status }) => status?.availableReplicas) - least;
    for (const set of old) {
      const size = sizes.get(set) ?? 0;
      const cut = Math.max(0, Math.min(spare, size, set.status?.availableReplicas ?? 0));
      sizes.set(set, size - cut);
      spare -= cut;
    }
    return old.map((set) => this.#scaler.resize(set, sizes.get(set) ?? 0)).includes(true);
  }

  /** Old sets beyond the limit of history go, once the rollout is through. */
  #dropHistory(oldSets: readonly ReplicaSet[]): void {
    const deployment = this.#deployment;
    const limit = deployment.spec.revisionHistoryLimit ?? 10;
    const isThrough = isComplete(deployment, this.#counted(this.#currentSets()));
    if (!isThrough && deployment.spec.paused !== true) return;
    const surplus = [...oldSets].sort((left, right) => revisionOf(left) - revisionOf(right));
    for (const set of surplus.slice(0, Math.max(0, surplus.length - limit))) {
      const { namespace = "", name = "", generation = 1, deletionTimestamp } = set.metadata;
      const isIdle = wantedReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0;
      const isSeen = (set.status?.observedGeneration ?? 0) >= generation;
      if (isIdle && isSeen && deletionTimestamp === undefined) {
        this.#runtime.client.delete(replicaSets, namespace, name);
      }
    }
  }

  #notePause(): void {
    const { paused = false } = this.#deployment.spec;
    if (!hasDeadline(this.#deployment)) return;
    const { status } = this.#deployment;
    const current = findCondition(status?.conditions, "Progressing");
    if (current?.reason === "ProgressDeadlineExceeded") return;
    const wasPaused = current?.reason === "DeploymentPaused";
    if (paused === wasPaused) return;
    this.#noteProgress(
      paused
        ? { status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" }
        : { status: "Unknown", reason: "DeploymentResumed", message: "Deployment is resumed" },
    );
  }

  #noteProgress(progress: Omit<DeploymentCondition, "type">): void {
    if (!hasDeadline(this.#deployment)) return;
    const status = this.#deployment.status ?? {};
    const condition = { type: "Progressing", ...progress };
    const now = this.#runtime.timestamp();
    const conditions = withCondition(status.conditions, condition, now);
    this.#deployment = { ...this.#deployment, status: { ...status, conditions } };
  }

  #writeCounted(sets: readonly ReplicaSet[]): void {
    this.#write(this.#counted(sets));
  }

  #counted(sets: readonly ReplicaSet[]): DeploymentStatus {
    const newSet = findNewSet(this.#deployment, sets);
    return countedStatus(this.#deployment, sets, newSet, this.#runtime.timestamp());
  }

  /** Writes the status; returns when the rollout's time will be up. */
  #writeRollout(): number | undefined {
    const sets = this.#currentSets();
    const newSet = findNewSet(this.#deployment, sets);
    const now = this.#runtime.now();
    const counted = this.#counted(sets);
    const text = this.#runtime.timestamp();
    const status = withProgress(this.#deployment, counted, newSet, sets, now, text);
    this.#write(status);
    if (!hasDeadline(this.#deployment) || isComplete(this.#deployment, status)) return undefined;
    const leftMs = untilDeadlineMs(this.#deployment, status, now);
    return leftMs === undefined || leftMs <= 0 ? undefined : leftMs + 1000;
  }

  /** The revision is written together with the status, as the real controller does it. */
  #write(status: DeploymentStatus): void {
    const { namespace = "", name = "" } = this.#deployment.metadata;
    const live = this.#runtime.client.get(deployments, namespace, name);
    if (live === undefined) return;
    const revision = this.#revision ?? live.metadata.annotations?.[revisionAnnotation];
    if (live.metadata.annotations?.[revisionAnnotation] === revision || revision === undefined) {
      putStatus(this.#runtime.client, deployments, live, status);
      return;
    }
    const write = (object: KubernetesObject): KubernetesObject => {
      const { metadata } = object;
      const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
      return { ...object, metadata: { ...metadata, annotations }, status };
    };
    this.#runtime.client.update(deployments, namespace, name, write, "status");
  }

  #currentSets(): readonly ReplicaSet[] {
    return this.#runtime.ownedBy(replicaSets, this.#deployment) as readonly ReplicaSet[];
  }
}
