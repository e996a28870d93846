import { type Cluster, type InformerEvent, isApiError } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

interface ClaimVolume {
  readonly persistentVolumeClaim?: { readonly claimName?: string };
}

/** Knows which claims are bound only when a pod mounts them, and whether one does. */
export class VolumeBinding {
  readonly #cluster: Cluster;
  readonly #lateClasses = new Set<string>();
  readonly #mounts = new Map<string, readonly string[]>();
  #defaultIsLate = false;
  #loading: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Reads the storage classes, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Takes note of what a pod mounts. */
  take(kind: InformerEvent["kind"], pod: KubernetesObject): void {
    const { uid = "", namespace = "" } = pod.metadata;
    const { volumes = [] } = (pod["spec"] ?? {}) as { volumes?: readonly ClaimVolume[] };
    const claims = volumes.flatMap(({ persistentVolumeClaim }) =>
      persistentVolumeClaim?.claimName === undefined
        ? []
        : [`${namespace}/${persistentVolumeClaim.claimName}`],
    );
    if (kind === "deleted" || claims.length === 0) this.#mounts.delete(uid);
    else this.#mounts.set(uid, claims);
  }

  waitsForConsumer(claim: KubernetesObject): boolean {
    const { storageClassName } = (claim["spec"] ?? {}) as { storageClassName?: string };
    const isLate =
      storageClassName === undefined
        ? this.#defaultIsLate
        : this.#lateClasses.has(storageClassName);
    if (!isLate) return false;
    const name = `${claim.metadata.namespace ?? ""}/${claim.metadata.name ?? ""}`;
    return ![...this.#mounts.values()].some((claims) => claims.includes(name));
  }

  async #load(): Promise<void> {
    try {
      const kind = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" };
      for (const { metadata, ...rest } of (await this.#cluster.list(kind)).items) {
        if (rest["volumeBindingMode"] !== "WaitForFirstConsumer") continue;
        this.#lateClasses.add(metadata.name ?? "");
        if (metadata.annotations?.[defaultClassAnnotation] === "true") this.#defaultIsLate = true;
      }
    } catch (error) {
      // Without them a claim is waited for until it is bound.
      if (!isApiError(error)) throw error;
    }
  }
}
