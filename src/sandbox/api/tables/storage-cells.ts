import type { KubernetesObject } from "../../../objects/index.ts";
import { aged, ageOf } from "./age.ts";
import type { CellsOf } from "./column.ts";
import { booleanOr } from "./format-cells.ts";
import { at, booleanAt, listAt, textIn, textOr } from "./read-fields.ts";

/** The rows of volumes and what provides them. */
export const storageCells: Readonly<Record<string, CellsOf>> = {
  "/persistentvolumes": (object, now) => [
    object.metadata.name,
    textOr(object, "spec.capacity.storage", "0"),
    accessModes(listAt(object, "spec.accessModes")),
    textIn(object, "spec.persistentVolumeReclaimPolicy"),
    phase(object),
    at(object, "spec.claimRef") === undefined
      ? ""
      : `${textIn(object, "spec.claimRef.namespace")}/${textIn(object, "spec.claimRef.name")}`,
    storageClass(object),
    textOr(object, "spec.volumeAttributesClassName", "<unset>"),
    textIn(object, "status.reason"),
    ageOf(object, now),
    textOr(object, "spec.volumeMode", "<unset>"),
  ],
  "/persistentvolumeclaims": (object, now) => {
    const isBound = textIn(object, "spec.volumeName") !== "";
    return [
      object.metadata.name,
      phase(object),
      textIn(object, "spec.volumeName"),
      isBound ? textOr(object, "status.capacity.storage", "0") : "",
      isBound ? accessModes(listAt(object, "status.accessModes")) : "",
      storageClass(object),
      textOr(object, "spec.volumeAttributesClassName", "<unset>"),
      ageOf(object, now),
      textOr(object, "spec.volumeMode", "<unset>"),
    ];
  },
  "storage.k8s.io/storageclasses": (object, now) => [
    `${object.metadata.name ?? ""}${isDefault(object) ? " (default)" : ""}`,
    textIn(object, "provisioner"),
    textOr(object, "reclaimPolicy", "Delete"),
    textOr(object, "volumeBindingMode", "Immediate"),
    booleanAt(object, "allowVolumeExpansion"),
    ageOf(object, now),
  ],
  "storage.k8s.io/volumeattributesclasses": aged((object) => [textIn(object, "driverName")]),
  "storage.k8s.io/volumeattachments": aged((object) => [
    textIn(object, "spec.attacher"),
    textIn(object, "spec.source.persistentVolumeName"),
    textIn(object, "spec.nodeName"),
    booleanAt(object, "status.attached"),
  ]),
  "storage.k8s.io/csinodes": aged((object) => [listAt(object, "spec.drivers").length]),
  "storage.k8s.io/csidrivers": aged((object) => [
    booleanOr(object, "spec.attachRequired", true),
    booleanAt(object, "spec.podInfoOnMount"),
    booleanAt(object, "spec.storageCapacity"),
    at(object, "spec.tokenRequests") === undefined
      ? "<unset>"
      : listAt(object, "spec.tokenRequests")
          .map((each) => textIn(each, "audience"))
          .join(","),
    booleanAt(object, "spec.requiresRepublish"),
    listAt(object, "spec.volumeLifecycleModes").join(",") || "<none>",
  ]),
};

const modeLetters = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

function accessModes(modes: readonly unknown[]): string {
  return modeLetters
    .filter(([mode]) => modes.includes(mode))
    .map(([, letters]) => letters)
    .join(",");
}

function phase(object: KubernetesObject): string {
  return object.metadata.deletionTimestamp === undefined
    ? textIn(object, "status.phase")
    : "Terminating";
}

/** An annotation came before the field and still goes before it. */
function storageClass(object: KubernetesObject): string {
  return (
    object.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ??
    textIn(object, "spec.storageClassName")
  );
}

function isDefault({ metadata: { annotations } }: KubernetesObject): boolean {
  return (
    annotations?.["storageclass.kubernetes.io/is-default-class"] === "true" ||
    annotations?.["storageclass.beta.kubernetes.io/is-default-class"] === "true"
  );
}
