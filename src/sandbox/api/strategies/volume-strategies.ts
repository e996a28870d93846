import type { KubernetesObject } from "../../../objects/index.ts";
import { timestamp } from "../../clock.ts";
import type { ApiContext } from "../api-context.ts";
import type { Strategy } from "../strategy.ts";

const defaultClass = "storageclass.kubernetes.io/is-default-class";

/** A claim is protected while pods use it, and takes the default class unless it names one. */
export const claimStrategy: Partial<Strategy> = {
  initialStatus: { phase: "Pending" },
  returnsDeletedObject: true,
  prepareCreate: (claim, context) =>
    protect(withSource(withDefaultClass(claim, context)), "kubernetes.io/pvc-protection"),
};

interface DataSource {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** What a claim is filled from stands in an older and a newer field, as far as the older one can say it. */
function withSource(claim: KubernetesObject): KubernetesObject {
  const spec = (claim["spec"] ?? {}) as {
    readonly dataSource?: DataSource;
    readonly dataSourceRef?: DataSource;
  };
  const { dataSource, dataSourceRef, ...rest } = spec;
  if (dataSource === undefined && dataSourceRef === undefined) return claim;
  const { namespace: _namespace, ...newer } = dataSourceRef ?? {};
  const older = dataSource !== undefined && isOldSource(dataSource) ? dataSource : undefined;
  const reference = dataSourceRef === undefined ? older : newer;
  const source = older ?? reference;
  return {
    ...claim,
    spec: {
      ...rest,
      ...(source === undefined ? {} : { dataSource: source }),
      ...(reference === undefined ? {} : { dataSourceRef: reference }),
    },
  };
}

/** The older field takes claims and snapshots; the server drops what else is in it. */
function isOldSource({ apiGroup = "", kind }: DataSource): boolean {
  return apiGroup === ""
    ? kind === "PersistentVolumeClaim"
    : apiGroup === "snapshot.storage.k8s.io" && kind === "VolumeSnapshot";
}

export const volumeStrategy: Partial<Strategy> = {
  initialStatus: "drop",
  returnsDeletedObject: true,
  prepareCreate: (volume, { clock }) => ({
    ...protect(volume, "kubernetes.io/pv-protection"),
    status: { phase: "Pending", lastPhaseTransitionTime: timestamp(clock.now()) },
  }),
};

function protect(object: KubernetesObject, finalizer: string): KubernetesObject {
  const finalizers = [...new Set([...(object.metadata.finalizers ?? []), finalizer])];
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

function withDefaultClass(claim: KubernetesObject, { store }: ApiContext): KubernetesObject {
  const spec = (claim["spec"] ?? {}) as { storageClassName?: string };
  if (spec.storageClassName !== undefined) return claim;
  const found = store
    .list("storage.k8s.io/storageclasses")
    .find(({ object }) => object.metadata.annotations?.[defaultClass] === "true");
  return found === undefined
    ? claim
    : { ...claim, spec: { ...spec, storageClassName: found.name } };
}
