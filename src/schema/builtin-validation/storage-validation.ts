import { asObject } from "../../json/index.ts";
import { compareQuantities } from "../quantity.ts";
import { notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { subdomainProblems } from "./names.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = ["Block", "Filesystem"];

export function validatePersistentVolumeClaim(object: Checker): void {
  const spec = object.at("spec");
  spec.require("accessModes", "at least 1 access mode is required");
  validateAccessModes(spec);
  const requests = asObject(spec.at("resources").get("requests")) ?? {};
  const { storage } = requests;
  if (storage === undefined) spec.add(requiredField(spec.field("resources[storage]")));
  else validatePositive(spec, "resources[storage]", storage);
  spec.named("storageClassName", subdomainProblems);
  spec.oneOf("volumeMode", volumeModes);
}

const volumeSettings = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

export function validatePersistentVolume(object: Checker): void {
  const spec = object.at("spec");
  spec.require("accessModes");
  validateAccessModes(spec);
  const capacity = asObject(spec.get("capacity")) ?? {};
  if (Object.keys(capacity).length === 0) spec.add(requiredField(spec.field("capacity")));
  if (capacity["storage"] === undefined) {
    spec.add(notSupported(spec.field("capacity"), capacity, ["storage"]));
  } else validatePositive(spec, "capacity[storage]", capacity["storage"]);
  spec.oneOf("persistentVolumeReclaimPolicy", ["Delete", "Recycle", "Retain"]);
  spec.oneOf("volumeMode", volumeModes);
  const sources = Object.keys(spec.object).filter((key) => !volumeSettings.has(key));
  if (sources.length === 0) object.add(requiredField("spec", "must specify a volume type"));
  for (const extra of sources.slice(1)) {
    spec.forbid(extra, "may not specify more than 1 volume type");
  }
}

export function validateStorageClass(object: Checker): void {
  object.require("provisioner");
  object.oneOf("reclaimPolicy", ["Delete", "Retain"]);
  object.oneOf("volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]);
}

function validateAccessModes(spec: Checker): void {
  const modes = spec.get("accessModes");
  for (const mode of Array.isArray(modes) ? modes : []) {
    if (typeof mode === "string" && accessModes.includes(mode)) continue;
    spec.add(notSupported(spec.field("accessModes"), mode, accessModes));
  }
}

function validatePositive(checker: Checker, key: string, amount: unknown): void {
  if (typeof amount === "string" && (compareQuantities(amount, "0") ?? 0) <= 0) {
    checker.invalid(key, amount, "must be greater than zero");
  }
}
