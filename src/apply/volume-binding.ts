import { type Cluster, type IndexKeys, isApiError, type KindView } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

interface ClaimVolume {
  readonly persistentVolumeClaim?: { readonly claimName?: string };
}

/** Knows which claims are bound only when a pod mounts them, and whether one does. */
export class VolumeBinding {
  readonly #cluster: Cluster;
  readonly #lateClasses = new Set<string>();
  readonly #podsIn: (namespace: string) => KindView | undefined;
  #defaultIsLate = false;
  #loading: Promise<void> | undefined;

  constructor(cluster: Cluster, podsIn: (namespace: string) => KindView | undefined) {
    this.#cluster = cluster;
    this.#podsIn = podsIn;
  }

  /** Reads the storage classes, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  waitsForConsumer(claim: KubernetesObject): boolean {
    const { storageClassName } = (claim["spec"] ?? {}) as { storageClassName?: string };
    const isLate =
      storageClassName === undefined
        ? this.#defaultIsLate
        : this.#lateClasses.has(storageClassName);
    if (!isLate) return false;
    const { namespace = "", name = "" } = claim.metadata;
    return (this.#podsIn(namespace)?.indexed(byClaim, name) ?? []).length === 0;
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

/** Finds pods by the claims that they mount. */
const byClaim: IndexKeys = (pod) => {
  const { volumes = [] } = (pod["spec"] ?? {}) as { volumes?: readonly ClaimVolume[] };
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
};
