import {
  type Deployment,
  type ReplicaSet,
  desiredAnnotation,
  isRolling,
  maxAnnotation,
  maxSurge,
  total,
  wantedReplicas,
} from "./deployment-types.ts";
import type { EventWriter } from "./event-writer.ts";
import { type Runtime, replicaSets } from "./runtime.ts";

/** Sizes the sets of one deployment. */
export class DeploymentScaler {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #deployment: Deployment;

  constructor(runtime: Runtime, events: EventWriter, deployment: Deployment) {
    this.#runtime = runtime;
    this.#events = events;
    this.#deployment = deployment;
  }

  /** Gives a set its size; true when that changed it. */
  resize(set: ReplicaSet, replicas: number): boolean {
    const before = wantedReplicas(set);
    const wanted = wantedReplicas(this.#deployment);
    const noted = {
      [desiredAnnotation]: String(wanted),
      [maxAnnotation]: String(wanted + maxSurge(this.#deployment)),
    };
    const { namespace = "", name = "", annotations } = set.metadata;
    const isNoted = Object.entries(noted).every(([key, value]) => annotations?.[key] === value);
    if (before === replicas && isNoted) return false;
    this.#runtime.client.update(replicaSets, namespace, name, (live) => ({
      ...live,
      metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...noted } },
      spec: { ...(live as ReplicaSet).spec, replicas },
    }));
    if (before === replicas) return false;
    const word = replicas > before ? "up" : "down";
    this.#events.record(this.#deployment, {
      reason: "ScalingReplicaSet",
      message: `Scaled ${word} replica set ${name} from ${before} to ${replicas}`,
    });
    return true;
  }

  /** Whether the deployment's size was changed since its sets were last sized. */
  isScaled(sets: readonly ReplicaSet[]): boolean {
    const wanted = String(wantedReplicas(this.#deployment));
    return sets.some((set) => {
      const noted = set.metadata.annotations?.[desiredAnnotation];
      return wantedReplicas(set) > 0 && noted !== undefined && noted !== wanted;
    });
  }

  /** Spreads a new size over the sets, in proportion when several are in use. */
  spread(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): void {
    const all = newSet === undefined ? oldSets : [newSet, ...oldSets];
    const active = all.filter((set) => wantedReplicas(set) > 0);
    const wanted = wantedReplicas(this.#deployment);
    const only = active.length <= 1 ? (active[0] ?? newSet ?? oldSets[0]) : undefined;
    if (only !== undefined) {
      this.resize(only, wanted);
      return;
    }
    if (newSet !== undefined && isSaturated(this.#deployment, newSet)) {
      for (const set of oldSets) if (wantedReplicas(set) > 0) this.resize(set, 0);
      return;
    }
    if (isRolling(this.#deployment)) this.#spreadInProportion(active, wanted);
  }

  #spreadInProportion(active: readonly ReplicaSet[], wanted: number): void {
    const allowed = wanted > 0 ? wanted + maxSurge(this.#deployment) : 0;
    const missing = allowed - total(active, wantedReplicas);
    const ordered = [...active].sort((left, right) => wantedReplicas(right) - wantedReplicas(left));
    const sizes = new Map<ReplicaSet, number>();
    let given = 0;
    for (const set of ordered) {
      const share = missing === 0 ? 0 : this.#share(set, missing, missing - given, allowed);
      sizes.set(set, wantedReplicas(set) + share);
      given += share;
    }
    for (const [index, set] of ordered.entries()) {
      const rest = index === 0 ? missing - given : 0;
      this.resize(set, Math.max(0, (sizes.get(set) ?? 0) + rest));
    }
  }

  #share(set: ReplicaSet, missing: number, left: number, allowed: number): number {
    const size = wantedReplicas(set);
    const noted = Number(set.metadata.annotations?.[maxAnnotation] ?? "0");
    const before = noted > 0 ? noted : allowed;
    const share = Math.round((size * allowed) / before) - size;
    return missing > 0
      ? Math.min(Math.max(0, share), left)
      : Math.max(Math.min(0, share), left, -size);
  }
}

/** All that a deployment wants is in one set, and available. */
function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const wanted = wantedReplicas(deployment);
  return (
    wantedReplicas(set) === wanted &&
    Number(set.metadata.annotations?.[desiredAnnotation] ?? "-1") === wanted &&
    (set.status?.availableReplicas ?? 0) === wanted
  );
}
