import { type JsonObject, objectAt } from "../../json/index.ts";
import { type DefaultsByType, ensureObject, isSet, setDefault } from "./type-defaults.ts";

/** Volumes, claims and classes; also limits, which are amounts of the same kind. */
export const storageDefaults: DefaultsByType = {
  "core.v1.PersistentVolume": (volume) => {
    setDefault(ensureObject(volume, "status"), "phase", "Pending");
    const spec = ensureObject(volume, "spec");
    setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    setDefault(spec, "volumeMode", "Filesystem");
  },
  "core.v1.PersistentVolumeClaim": (claim) =>
    setDefault(ensureObject(claim, "status"), "phase", "Pending"),
  "core.v1.PersistentVolumeClaimSpec": (spec) => setDefault(spec, "volumeMode", "Filesystem"),
  "storage.v1.StorageClass": (storageClass) => {
    setDefault(storageClass, "reclaimPolicy", "Delete");
    setDefault(storageClass, "volumeBindingMode", "Immediate");
  },
  "storage.v1.CSIDriver": (driver) => {
    const spec = ensureObject(driver, "spec");
    setDefault(spec, "attachRequired", true);
    setDefault(spec, "podInfoOnMount", false);
    setDefault(spec, "storageCapacity", false);
    setDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (!isSet(spec, "volumeLifecycleModes")) spec["volumeLifecycleModes"] = ["Persistent"];
    setDefault(spec, "requiresRepublish", false);
    setDefault(spec, "seLinuxMount", false);
  },
  "core.v1.LimitRangeItem": (item) => {
    if (item["type"] !== "Container") return;
    fill(item, "default", "max");
    fill(item, "defaultRequest", "default");
    fill(item, "defaultRequest", "min");
  },
  "core.v1.NodeStatus": (status) => {
    const capacity = objectAt(status, "capacity");
    if (capacity !== undefined && !isSet(status, "allocatable")) {
      status["allocatable"] = { ...capacity };
    }
  },
};

/** Amounts that one list lacks are taken from another. */
function fill(item: JsonObject, to: string, from: string): void {
  const merged = { ...objectAt(item, from), ...objectAt(item, to) };
  if (Object.keys(merged).length > 0) item[to] = merged;
}
