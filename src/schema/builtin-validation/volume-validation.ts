import { compareQuantities } from "../quantity.ts";
import { duplicate, forbidden, invalid, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { validateFieldReference, validateResourceReference } from "./downward-validation.ts";
import {
  backstepProblems,
  driverNameProblems,
  filePathProblems,
  labelProblems,
  relativePathProblems,
  subdomainProblems,
} from "./names.ts";
import { validateClaimTemplate } from "./storage-validation.ts";

/** What is wrong with each type of volume; the order is the one in which the server looks for a second type. */
export const volumeSources: Readonly<Record<string, (source: Checker) => void>> = {
  emptyDir: (source) => {
    const limit = source.get("sizeLimit");
    if (typeof limit === "string" && (compareQuantities(limit, "0") ?? 0) < 0)
      source.forbid("sizeLimit", "SizeLimit field must be a valid resource quantity");
  },
  hostPath: validateHostPath,
  gitRepo: (source) => {
    source.require("repository");
    source.named("directory", relativePathProblems);
  },
  gcePersistentDisk: validatePartition("pdName"),
  awsElasticBlockStore: validatePartition("volumeID"),
  secret: validateFiles("secretName"),
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: requireAll("endpoints", "path"),
  flocker: validateFlocker,
  persistentVolumeClaim: requireAll("claimName"),
  rbd: requireAll("monitors", "image"),
  cinder: (source) => {
    source.require("volumeID");
    source.maybe("secretRef")?.require("name");
  },
  cephfs: requireAll("monitors"),
  quobyte: validateQuobyte,
  downwardAPI: (source) => {
    validateMode(source, "defaultMode");
    for (const item of source.items("items")) validateDownwardFile(item);
  },
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  configMap: validateFiles("name"),
  azureFile: requireAll("secretName", "shareName"),
  vsphereVolume: requireAll("volumePath"),
  photonPersistentDisk: requireAll("pdID"),
  portworxVolume: requireAll("volumeID"),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  projected: validateProjected,
  scaleIO: requireAll("gateway", "system", "volumeName"),
  csi: (source) => {
    source.requireNamed("driver", driverNameProblems);
    const secret = source.maybe("nodePublishSecretRef");
    if (secret?.require("name") !== true) return;
    // The server leaves the field of the reference out of this path.
    for (const problem of subdomainProblems(secret.text("name")))
      source.invalid("name", secret.text("name"), problem);
  },
  ephemeral: (source) => {
    const template = source.maybe("volumeClaimTemplate");
    if (template === undefined) source.require("volumeClaimTemplate");
    else validateClaimTemplate(template);
  },
  image: (source) => {
    source.supported("pullPolicy", ["Always", "IfNotPresent", "Never"]);
  },
};

const sourceNames = Object.keys(volumeSources);
/** Where the server's paths have other names than its fields. */
const spelling: Readonly<Record<string, string>> = { gcePersistentDisk: "persistentDisk" };
const extraSpelling: Readonly<Record<string, string>> = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

/** The names of volumes that containers can mount: one that is wrong itself is not there for them. */
export function validateVolumes(spec: Checker, podName: string): ReadonlyMap<string, string> {
  const mountable = new Map<string, string>();
  for (const volume of spec.items("volumes")) {
    const before = volume.errors.length;
    const name = volume.text("name");
    const [first, ...others] = sourceNames.filter((key) => volume.has(key));
    if (first !== undefined) {
      const source = volume.at(first);
      volumeSources[first]?.(volume.at(first).moved(volume.field(spelling[first] ?? first)));
      if (first === "iscsi") validatePortalLength(volume, source, name);
      if (first === "ephemeral" && podName !== "" && name !== "") {
        for (const problem of subdomainProblems(`${podName}-${name}`))
          volume.invalid(
            "name",
            name,
            `PVC name ${JSON.stringify(`${podName}-${name}`)}: ${problem}`,
          );
      }
    }
    for (const extra of others) {
      volume.forbid(extraSpelling[extra] ?? extra, "may not specify more than 1 volume type");
    }
    volume.requireNamed("name", labelProblems);
    if (mountable.has(name)) volume.add(duplicate(volume.field("name"), name));
    if (volume.errors.length === before) mountable.set(name, first ?? "");
  }
  return mountable;
}

function requireAll(...keys: readonly string[]): (source: Checker) => void {
  return (source) => {
    for (const key of keys) source.require(key);
  };
}

function validateHostPath(source: Checker): void {
  source.require("path");
  source.named("path", backstepProblems);
  source.oneOf("type", [
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
  ]);
}

function validatePartition(key: string): (source: Checker) => void {
  return (source) => {
    source.require(key);
    const partition = source.get("partition");
    if (typeof partition === "number" && (partition < 0 || partition > 255))
      source.invalid("partition", partition, "must be between 1 and 255, inclusive");
  };
}

function validateNfs(source: Checker): void {
  source.require("server");
  source.require("path");
  const path = source.text("path");
  if (!path.startsWith("/")) source.invalid("path", path, "must be an absolute path");
}

const modeDetail = "must be a number between 0 and 0777 (octal), both inclusive";

function validateMode(checker: Checker, key: string): void {
  const mode = checker.get(key);
  if (typeof mode === "number" && (mode < 0 || mode > 0o777))
    checker.invalid(key, mode, modeDetail);
}

function validateFiles(name: string): (source: Checker) => void {
  return (source) => {
    source.require(name);
    validateMode(source, "defaultMode");
    for (const item of source.items("items")) validateKeyToPath(item);
  };
}

function validateKeyToPath(item: Checker): void {
  item.require("key");
  item.require("path");
  item.named("path", filePathProblems);
  validateMode(item, "mode");
}

function validateDownwardFile(file: Checker): void {
  file.require("path");
  file.named("path", filePathProblems);
  const field = file.maybe("fieldRef");
  const resource = file.maybe("resourceFieldRef");
  if (field !== undefined) {
    validateFieldReference(field, "volume");
    if (resource !== undefined) {
      const detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
      file.add(invalid(file.path, "resource", detail));
    }
  } else if (resource !== undefined) validateResourceReference(resource, "volume");
  else {
    file.add(requiredField(file.path, "one of fieldRef and resourceFieldRef is required"));
  }
  validateMode(file, "mode");
}

const iscsiNames: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function validateIscsi(source: Checker): void {
  source.require("targetPortal");
  if (source.require("iqn")) validateIscsiName(source, "iqn", source.text("iqn"));
  source.between("lun", 0, 255);
  const needsSecret =
    source.get("chapAuthDiscovery") === true || source.get("chapAuthSession") === true;
  if (needsSecret && !source.has("secretRef")) source.require("secretRef");
  const initiator = source.get("initiatorName");
  if (typeof initiator === "string") validateIscsiName(source, "initiatorname", initiator);
}

function validateIscsiName(source: Checker, key: string, name: string): void {
  const pattern = iscsiNames[name.slice(0, 3)];
  if (pattern === undefined)
    source.invalid(key, name, "must be valid format starting with iqn, eui, or naa");
  else if (!pattern.test(name)) source.invalid(key, name, "must be valid format");
}

function validatePortalLength(volume: Checker, source: Checker, name: string): void {
  const portal = `${name}:${source.text("targetPortal")}`;
  if (!source.has("initiatorName") || portal.length <= 64) return;
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  volume.invalid("name", name, detail);
}

function validateFlocker(source: Checker): void {
  const [name, id] = [source.text("datasetName"), source.text("datasetUUID")];
  if (name === "" && id === "")
    source.add(requiredField(source.path, "one of datasetName and datasetUUID is required"));
  if (name !== "" && id !== "") {
    const detail = "datasetName and datasetUUID can not be specified simultaneously";
    source.add(invalid(source.path, "resource", detail));
  }
  if (name.includes("/")) source.invalid("datasetName", name, "must not contain '/'");
}

function validateQuobyte(source: Checker): void {
  const detail = "must be a host:port pair or multiple pairs separated by commas";
  if (source.require("registry", detail)) {
    const registry = source.text("registry");
    if (source.text("tenant").length >= 65)
      source.add(
        requiredField(
          source.field("tenant"),
          "must be a UUID and may not exceed a length of 64 characters",
        ),
      );
    else if (registry.split(",").some((pair) => !/^(?:[^:]*|\[.*\]):[^:]*$/.test(pair)))
      source.invalid("registry", registry, detail);
  }
  source.require("volume");
}

function validateFibreChannel(source: Checker): void {
  const names = source.texts("targetWWNs").length;
  const ids = source.texts("wwids").length;
  if (names === 0 && ids === 0)
    source.require("targetWWNs", "must specify either targetWWNs or wwids, but not both");
  if (names > 0 && ids > 0) {
    const detail = "targetWWNs and wwids can not be specified simultaneously";
    source.invalid("targetWWNs", source.get("targetWWNs"), detail);
  }
  if (names === 0) return;
  if (!source.has("lun")) source.require("lun", "lun is required if targetWWNs is specified");
  else source.between("lun", 0, 255);
}

function validateFlexVolume(source: Checker): void {
  source.require("driver");
  for (const [key] of source.entries("options")) {
    const owner = `.${(key.split("/")[0] ?? "").toLowerCase()}`;
    if (key.includes("/") && /\.(?:kubernetes|k8s)\.io$/.test(owner)) {
      const detail = "kubernetes.io and k8s.io namespaces are reserved";
      source.invalid(`options[${key}]`, key, detail);
    }
  }
}

const managedDisk =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDisk = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

function validateAzureDisk(source: Checker): void {
  source.require("diskName");
  source.require("diskURI");
  for (const [key, allowed] of [
    ["cachingMode", ["None", "ReadOnly", "ReadWrite"]],
    ["kind", ["Dedicated", "Managed", "Shared"]],
  ] as const) {
    const value = source.get(key);
    if (typeof value === "string" && !allowed.some((each) => each === value))
      source.add(notSupported(source.field(key), value, allowed));
  }
  const address = source.text("diskURI");
  const isManaged = source.text("kind") === "Managed";
  const start = isManaged ? "/subscriptions/" : "https://";
  if (source.has("kind") && !address.startsWith(start)) {
    const allowed = [isManaged ? managedDisk : blobDisk];
    source.add(notSupported(source.field("diskURI"), address, allowed));
  }
}

function validateStorageOs(source: Checker): void {
  source.requireNamed("volumeName", labelProblems);
  source.named("volumeNamespace", labelProblems);
  source.maybe("secretRef")?.require("name");
}

function validateProjected(volume: Checker): void {
  validateMode(volume, "defaultMode");
  const paths = new Set<string>();
  const take = (path: string, shown: string): void => {
    if (path === "") return;
    if (paths.has(path)) volume.add(invalid(volume.path, shown, "conflicting duplicate paths"));
    paths.add(path);
  };
  for (const source of volume.items("sources")) {
    for (const key of ["secret", "configMap"]) {
      const files = source.maybe(key);
      if (files === undefined) continue;
      files.require("name");
      for (const item of files.items("items")) {
        validateKeyToPath(item);
        take(item.text("path"), files.text("name"));
      }
    }
    const downward = source.maybe("downwardAPI");
    for (const file of downward?.items("items") ?? []) {
      // The server leaves the index out of these paths.
      validateDownwardFile(file.moved(source.field("downwardAPI")));
      take(file.text("path"), file.text("path"));
    }
    const token = source.maybe("serviceAccountToken");
    if (token !== undefined) validateToken(volume, token);
    const given = projections.filter((key) => source.has(key));
    if (given.length > 1) {
      const detail = "may not specify more than 1 volume type per source";
      source.add(forbidden(source.path, detail));
    }
  }
}

const projections = ["secret", "configMap", "downwardAPI", "serviceAccountToken"];

function validateToken(volume: Checker, token: Checker): void {
  const seconds = Number(token.get("expirationSeconds") ?? 3600);
  if (seconds < 600)
    token.invalid("expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
  if (seconds > 2 ** 32)
    token.invalid(
      "expirationSeconds",
      seconds,
      "may not specify a duration larger than 2^32 seconds",
    );
  // The server names the path of the volume here.
  const path = token.text("path");
  if (path === "") volume.add(requiredField(volume.field("path")));
  else for (const problem of filePathProblems(path)) volume.invalid("path", path, problem);
}
