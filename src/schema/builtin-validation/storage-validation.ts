import { asObject } from "../../json/index.ts";
import { compareQuantities } from "../quantity.ts";
import { invalid, notSupported, requiredField } from "../field-error.ts";
import { validateNodeSelector } from "./affinity-validation.ts";
import type { Checker } from "./checker.ts";
import { validateAnnotations, validateLabels } from "./metadata-validation.ts";
import { backstepProblems, driverNameProblems, labelProblems, subdomainProblems } from "./names.ts";
import { validateSelector } from "./selector-validation.ts";
import { volumeSources } from "./volume-validation.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = ["Block", "Filesystem"];

export function validatePersistentVolumeClaim(object: Checker): void {
  validateClaimSpec(object.at("spec"));
}

/** Metadata that the server sets, and that what an object is made from does not have. */
export const ofServer = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** The claim that a pod makes for a volume of its own. */
export function validateClaimTemplate(template: Checker): void {
  const metadata = template.at("metadata");
  for (const key of ofServer)
    if (metadata.has(key) && metadata.get(key) !== "") metadata.forbid(key, "cannot be set");
  validateAnnotations(metadata);
  validateLabels(metadata, "labels");
  validateClaimSpec(template.at("spec"));
}

export function validateClaimSpec(spec: Checker): void {
  spec.require("accessModes", "at least 1 access mode is required");
  validateAccessModes(spec);
  const selector = spec.maybe("selector");
  if (selector !== undefined) validateSelector(selector);
  const requests = asObject(spec.at("resources").get("requests")) ?? {};
  const { storage } = requests;
  if (storage === undefined) spec.add(requiredField(spec.field("resources[storage]")));
  else validatePositive(spec, "resources[storage]", storage);
  spec.named("storageClassName", subdomainProblems);
  spec.named("volumeAttributesClassName", subdomainProblems);
  const mode = spec.get("volumeMode");
  if (typeof mode === "string" && !volumeModes.includes(mode))
    spec.add(notSupported(spec.field("volumeMode"), mode, volumeModes));
  validateDataSources(spec);
}

function validateDataSources(spec: Checker): void {
  const [source, reference] = [spec.maybe("dataSource"), spec.maybe("dataSourceRef")];
  for (const each of [source, reference]) {
    if (each === undefined) continue;
    each.require("name");
    each.require("kind");
    if (each.text("apiGroup") === "" && each.text("kind") !== "PersistentVolumeClaim") {
      const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
      each.add(invalid(each.path, each.text("kind"), detail));
    }
    each.named("apiGroup", subdomainProblems);
    each.named("namespace", labelProblems);
  }
  if (source === undefined || reference === undefined) return;
  const at = spec.field("dataSource");
  if (reference.text("namespace") !== "") {
    const detail = "may not be specified when dataSourceRef.namespace is specified";
    spec.add(invalid(spec.path, at, detail));
  } else if (["apiGroup", "kind", "name"].some((key) => source.get(key) !== reference.get(key))) {
    spec.add(invalid(spec.path, at, "must match dataSourceRef"));
  }
}

/** Volumes that exist by themselves refer to secrets with their namespaces. */
const ownSources: Readonly<Record<string, (source: Checker) => void>> = {
  csi: (source) => {
    source.requireNamed("driver", driverNameProblems);
    source.require("volumeHandle");
    for (const key of [
      "controllerPublishSecretRef",
      "controllerExpandSecretRef",
      "nodePublishSecretRef",
      "nodeExpandSecretRef",
    ]) {
      const secret = source.maybe(key);
      secret?.requireNamed("name", subdomainProblems);
      secret?.requireNamed("namespace", labelProblems);
    }
  },
  local: (source) => {
    if (source.require("path")) source.named("path", backstepProblems);
  },
  azureFile: (source) => {
    source.require("secretName");
    source.require("shareName");
    if (source.get("secretNamespace") === "") source.require("secretNamespace");
  },
  cinder: (source) => {
    source.require("volumeID");
    const secret = source.maybe("secretRef");
    secret?.require("name");
    secret?.require("namespace");
  },
};

/** In the order in which the server looks for a second type. */
const sourceNames = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];

const spelling: Readonly<Record<string, string>> = { gcePersistentDisk: "persistentDisk" };
const extraSpelling: Readonly<Record<string, string>> = { cephfs: "cephFS" };

export function validatePersistentVolume(object: Checker): void {
  const spec = object.at("spec");
  spec.require("accessModes");
  validateAccessModes(spec);
  const capacity = asObject(spec.get("capacity")) ?? {};
  if (Object.keys(capacity).length === 0) spec.add(requiredField(spec.field("capacity")));
  if (capacity["storage"] === undefined || Object.keys(capacity).length > 1) {
    spec.add(notSupported(spec.field("capacity"), capacity, ["storage"]));
  }
  for (const [name, amount] of Object.entries(capacity))
    validatePositive(spec, `capacity[${name}]`, amount);
  spec.oneOf("persistentVolumeReclaimPolicy", ["Delete", "Recycle", "Retain"]);
  const mode = spec.get("volumeMode");
  if (typeof mode === "string" && !volumeModes.includes(mode))
    spec.add(notSupported(spec.field("volumeMode"), mode, volumeModes));
  spec.named("storageClassName", subdomainProblems);
  const affinity = spec.maybe("nodeAffinity");
  const nodes = affinity?.maybe("required");
  if (nodes !== undefined) validateNodeSelector(nodes);
  else if (affinity !== undefined)
    affinity.require("required", "must specify required node constraints");
  validateSource(spec, nodes !== undefined);
  if (spec.has("volumeAttributesClassName")) {
    const name = spec.text("volumeAttributesClassName");
    if (name === "") {
      const detail = "an empty string is disallowed";
      spec.require("volumeAttributesClassName", detail);
    }
    spec.named("volumeAttributesClassName", subdomainProblems);
    const detail = "has to be specified when using volumeAttributesClassName";
    if (!spec.has("csi")) spec.require("csi", detail);
  }
}

function validateSource(spec: Checker, hasNodes: boolean): void {
  const [first, ...others] = sourceNames.filter((key) => spec.has(key));
  if (first === undefined) {
    spec.add(requiredField(spec.path, "must specify a volume type"));
    return;
  }
  const checked = [first, ...others.filter((each) => each === "flexVolume")];
  for (const key of checked) {
    const source = spec.at(key).moved(spec.field(spelling[key] ?? key));
    (ownSources[key] ?? volumeSources[key])?.(source);
  }
  // Of this type, the server does not look whether it is another one.
  for (const extra of others.filter((each) => each !== "flexVolume")) {
    spec.forbid(extraSpelling[extra] ?? extra, "may not specify more than 1 volume type");
  }
  if (first === "local" && !hasNodes) {
    const detail = "Local volume requires node affinity";
    if (!spec.has("nodeAffinity")) spec.require("nodeAffinity", detail);
    else spec.add(requiredField(spec.field("nodeAffinity"), detail));
  }
  const isRoot = /^\/+(?:\.?\/*)*$/.test(spec.at("hostPath").text("path"));
  if (isRoot && spec.text("persistentVolumeReclaimPolicy") === "Recycle") {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    spec.forbid("persistentVolumeReclaimPolicy", detail);
  }
}

function validateAccessModes(spec: Checker): void {
  const modes = spec.texts("accessModes");
  for (const mode of modes) {
    if (!accessModes.includes(mode))
      spec.add(notSupported(spec.field("accessModes"), mode, accessModes));
  }
  const known = modes.filter((mode) => accessModes.includes(mode));
  const isSingle = known.includes("ReadWriteOncePod");
  if (isSingle && known.some((mode) => mode !== "ReadWriteOncePod"))
    spec.forbid("accessModes", "may not use ReadWriteOncePod with other access modes");
}

function validatePositive(checker: Checker, key: string, amount: unknown): void {
  if (typeof amount === "string" && (compareQuantities(amount, "0") ?? 0) <= 0) {
    checker.invalid(key, amount, "must be greater than zero");
  }
}
