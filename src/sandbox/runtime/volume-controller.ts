import type { Controller } from "./controller.ts";
import { type Runtime, claims, volumes } from "./runtime.ts";
import { type Claim, type PersistentVolume, isFor } from "./volume-types.ts";
import { putStatus } from "./put-status.ts";

const protection = "kubernetes.io/pv-protection";

/** Says whether volumes are free, bound or released, and reclaims those that are to go. */
export function volumeController(runtime: Runtime): Controller {
  return {
    name: "volume",
    watches: [volumes, claims],
    keysOf: ({ resource, type, stored }) => {
      if (resource === volumes) return type === "DELETED" ? [] : [stored];
      const { volumeName = "" } = resource === claims ? (stored.object as Claim).spec : {};
      return volumeName === "" ? [] : [{ namespace: "", name: volumeName }];
    },
    reconcile: ({ name }) => {
      const volume = runtime.client.get(volumes, "", name);
      if (volume !== undefined) sync(runtime, volume as PersistentVolume);
      return undefined;
    },
  };
}

function sync(runtime: Runtime, volume: PersistentVolume): void {
  const { client } = runtime;
  const { name = "", deletionTimestamp, finalizers = [] } = volume.metadata;
  const phase = phaseOf(runtime, volume);
  if (volume.status?.phase !== phase) {
    const lastPhaseTransitionTime = runtime.timestamp();
    putStatus(client, volumes, volume, { phase, lastPhaseTransitionTime });
  }
  if (deletionTimestamp !== undefined) {
    if (phase === "Bound" || !finalizers.includes(protection)) return;
    client.update(volumes, "", name, (live) => {
      const { finalizers: held = [], ...metadata } = live.metadata;
      const kept = held.filter((each) => each !== protection);
      return {
        ...live,
        metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept },
      };
    });
  } else if (phase === "Released" && volume.spec.persistentVolumeReclaimPolicy === "Delete") {
    client.delete(volumes, "", name);
  }
}

function phaseOf({ client }: Runtime, volume: PersistentVolume): string {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return "Available";
  const { namespace = "", name = "", uid = "" } = claimRef;
  const claim = client.get(claims, namespace, name);
  if (claim !== undefined && isFor(volume, claim as Claim)) {
    const { volumeName } = (claim as Claim).spec;
    return volumeName === volume.metadata.name ? "Bound" : (volume.status?.phase ?? "Available");
  }
  // Kept for a claim that has not been made yet.
  return uid === "" ? "Available" : "Released";
}
