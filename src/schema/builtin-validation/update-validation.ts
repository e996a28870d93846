import { equalValues, type JsonObject, type JsonValue, asObject } from "../../json/index.ts";
import { forbidden, invalid } from "../field-error.ts";
import { Checker } from "./checker.ts";
import { podRanges } from "./cluster-validation.ts";

/** What may not change in an object of some kind. */
export type UpdateRule = (object: Checker, old: JsonObject) => void;

const immutable = "field is immutable";

export const updateRules: Readonly<Record<string, UpdateRule>> = {
  "Deployment.apps": fixedFields("spec.selector"),
  "ReplicaSet.apps": fixedFields("spec.selector"),
  "DaemonSet.apps": fixedFields("spec.selector"),
  "StatefulSet.apps": (object, old) => {
    const changeable = [
      "replicas",
      "ordinals",
      "template",
      "updateStrategy",
      "revisionHistoryLimit",
      "persistentVolumeClaimRetentionPolicy",
      "minReadySeconds",
    ];
    if (!differsOutside(object.at("spec").object, asObject(old["spec"]) ?? {}, changeable)) return;
    const detail =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    object.add(forbidden("spec", detail));
  },
  "Job.batch": (object, old) => {
    fixedFields(
      "spec.selector",
      "spec.completionMode",
      "spec.podFailurePolicy",
      "spec.backoffLimitPerIndex",
      "spec.managedBy",
      "spec.successPolicy",
    )(object, old);
    const spec = object.at("spec");
    const before = asObject(old["spec"]) ?? {};
    const resizes =
      spec.text("completionMode") === "Indexed" &&
      spec.get("completions") === spec.get("parallelism");
    if (!resizes) fixedFields("spec.completions")(object, old);
    const isSuspended =
      before["suspend"] === true && asObject(old["status"])?.["startTime"] === undefined;
    const changeable = isSuspended ? schedulingFields : [];
    const [now, then] = [spec.get("template"), before["template"]].map((template) =>
      withoutScheduling(asObject(template) ?? {}, changeable),
    );
    if (!equal(now, then))
      object.add(invalid("spec.template", spec.get("template") ?? null, immutable));
  },
  Service: (object, old) => {
    const before = asObject(old["spec"]) ?? {};
    const spec = object.at("spec");
    const wasAddressed =
      before["type"] !== "ExternalName" && typeof before["clusterIP"] === "string";
    if (!wasAddressed || spec.text("type") === "ExternalName") return;
    if (spec.text("clusterIP") !== before["clusterIP"]) {
      spec.invalid("clusterIPs[0]", [spec.text("clusterIP")], "may not change once set");
    }
  },
  PersistentVolumeClaim: (object, old) => {
    const changeable = ["resources", "volumeAttributesClassName"];
    const spec = object.at("spec").object;
    const before = asObject(old["spec"]) ?? {};
    const isBinding = before["volumeName"] === undefined;
    const fields = isBinding ? [...changeable, "volumeName"] : changeable;
    const isBound = asObject(old["status"])?.["phase"] === "Bound";
    const resized = !equal(spec["resources"], before["resources"]);
    if (!differsOutside(spec, before, fields) && (isBound || !resized)) return;
    const detail =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    object.add(forbidden("spec", detail));
  },
  ConfigMap: frozenData,
  Secret: (object, old) => {
    fixedFields("type")(object, old);
    frozenData(object, old);
  },
  Pod: (object, old) => validatePodUpdate(object, asObject(old["spec"]) ?? {}),
  "RoleBinding.rbac.authorization.k8s.io": fixedRoleRef,
  "ClusterRoleBinding.rbac.authorization.k8s.io": fixedRoleRef,
  "StorageClass.storage.k8s.io": fixedFields(
    "provisioner",
    "parameters",
    "reclaimPolicy",
    "volumeBindingMode",
  ),
  "PriorityClass.scheduling.k8s.io": (object, old) => {
    if (object.get("value") !== old["value"]) {
      object.add(forbidden("value", "may not be changed in an update."));
    }
    fixedFields("preemptionPolicy")(object, old);
  },
  "IngressClass.networking.k8s.io": fixedFields("spec.controller"),
  "ControllerRevision.apps": fixedFields("data"),
  "CSIDriver.storage.k8s.io": (object, old) => {
    fixedFields("spec.volumeLifecycleModes")(object, old);
    const before = valueAt(old, "spec.attachRequired");
    const value = valueAt(object.object, "spec.attachRequired");
    if (!equal(value, before)) object.invalid("spec.attachedRequired", value, immutable);
  },
  "CSINode.storage.k8s.io": (object, old) => {
    for (const driver of object.at("spec").items("drivers")) {
      const before = new Checker(old).at("spec").items("drivers");
      const same = before.find((each) => each.text("name") === driver.text("name"));
      if (same === undefined || !differsOutside(driver.object, same.object, ["allocatable"]))
        continue;
      object.add(invalid("spec.drivers", driver.object, immutable));
    }
  },
  "CSIStorageCapacity.storage.k8s.io": fixedFields("nodeTopology", "storageClassName"),
  "EndpointSlice.discovery.k8s.io": fixedFields("addressType"),
  "Event.events.k8s.io": fixedEvent,
  "IPAddress.networking.k8s.io": fixedFields("spec.parentRef"),
  "ResourceClaim.resource.k8s.io": fixedFields("spec"),
  "ResourceClaimTemplate.resource.k8s.io": fixedFields("spec"),
  "ResourceSlice.resource.k8s.io": fixedFields(
    "spec.driver",
    "spec.pool.name",
    "spec.nodeName",
    "spec.nodeSelector",
    "spec.allNodes",
    "spec.perDeviceNodeSelection",
  ),
  "RuntimeClass.node.k8s.io": fixedFields("handler"),
  "VolumeAttachment.storage.k8s.io": fixedFields("spec"),
  "VolumeAttributesClass.storage.k8s.io": (object, old) => {
    for (const key of ["driverName", "parameters"])
      if (!equal(object.get(key), old[key])) object.forbid(key, `updates to ${key} are forbidden.`);
  },
  Node: (object, old) => {
    const [spec, before] = [object.at("spec"), new Checker(old).at("spec")];
    const ranges = before.texts("podCIDRs");
    if (ranges.length > 0 && !equal([...ranges], [...podRanges(spec)])) {
      const detail = 'node updates may not change podCIDR except from "" to valid';
      spec.forbid("podCIDRs", detail);
    }
    if (before.text("providerID") !== "" && before.text("providerID") !== spec.text("providerID")) {
      const detail = 'node updates may not change providerID except from "" to valid';
      spec.forbid("providerID", detail);
    }
    if (before.text("externalID") !== spec.text("externalID"))
      spec.forbid("externalID", "may not be updated");
  },
  PersistentVolume: (object, old) => {
    const [spec, before] = [object.at("spec").object, asObject(old["spec"]) ?? {}];
    if (differsOutside(spec, before, volumeSettings)) {
      const detail = "spec.persistentvolumesource is immutable after creation";
      object.add(forbidden("spec.persistentvolumesource", detail));
    }
    if (!equal(spec["volumeMode"], before["volumeMode"]))
      object.add(invalid("volumeMode", spec["volumeMode"] ?? null, immutable));
    if (
      before["nodeAffinity"] !== undefined &&
      !equal(spec["nodeAffinity"], before["nodeAffinity"])
    ) {
      const detail = `${immutable}, except for updating from beta label to GA`;
      object.add(invalid("nodeAffinity", spec["nodeAffinity"] ?? null, detail));
    }
  },
  ResourceQuota: (object, old) => {
    const [now, then] = [object, new Checker(old)].map((each) =>
      [...new Set(each.at("spec").texts("scopes"))].sort(),
    );
    if (!equal(now ?? [], then ?? []))
      object.add(invalid("spec.scopes", valueAt(object.object, "spec.scopes") ?? null, immutable));
  },
  "CustomResourceDefinition.apiextensions.k8s.io": (object, old) => {
    fixedFields("spec.group", "spec.names.plural")(object, old);
    const conditions = asObject(old["status"])?.["conditions"];
    const isEstablished =
      Array.isArray(conditions) &&
      conditions.some(
        (each) =>
          asObject(each)?.["type"] === "Established" && asObject(each)?.["status"] === "True",
      );
    if (isEstablished) fixedFields("spec.scope", "spec.names.kind")(object, old);
    storedVersionsStay(object);
  },
};

/** Where the pods of a job run may change before it has started. */
const schedulingFields = ["affinity", "nodeSelector", "tolerations", "schedulingGates"];

function withoutScheduling(template: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return template;
  const metadata = asObject(template["metadata"]) ?? {};
  const spec = Object.entries(asObject(template["spec"]) ?? {});
  return {
    ...template,
    metadata: Object.fromEntries(
      Object.entries(metadata).filter(([key]) => key !== "labels" && key !== "annotations"),
    ),
    spec: Object.fromEntries(spec.filter(([key]) => !fields.includes(key))),
  };
}

/** Fields of a volume that do not say what it is. */
const volumeSettings = [
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
];

/** The fields of an event in the words of both APIs. */
const eventFields: readonly (readonly [name: string, older: string])[] = [
  ["regarding", "involvedObject"],
  ["reason", "reason"],
  ["note", "message"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  ["reportingController", "reportingController"],
  ["reportingInstance", "reportingInstance"],
];

/** Of an event of the newer API only the series goes on. */
function fixedEvent(object: Checker, old: JsonObject): void {
  for (const [name, older] of eventFields) {
    const stored = older === "reportingController" ? "reportingComponent" : older;
    const value = object.get(name) ?? object.get(stored);
    if (!equal(value, old[stored] ?? old[name]))
      object.add(invalid(older, value ?? null, immutable));
  }
}

/** A version in which objects may be stored cannot leave a definition. */
function storedVersionsStay(object: Checker): void {
  const names = object
    .at("spec")
    .items("versions")
    .map((version) => version.text("name"));
  const stored = object.at("status").get("storedVersions");
  for (const [index, name] of (Array.isArray(stored) ? stored : []).entries()) {
    if (typeof name !== "string" || names.includes(name)) continue;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    object.invalid(`status.storedVersions[${index}]`, name, detail);
  }
}

function fixedFields(...paths: readonly string[]): UpdateRule {
  return (object, old) => {
    for (const path of paths) {
      const value = valueAt(object.object, path);
      if (!equal(value, valueAt(old, path))) object.add(invalid(path, value ?? null, immutable));
    }
  };
}

function fixedRoleRef(object: Checker, old: JsonObject): void {
  if (equal(object.get("roleRef"), old["roleRef"])) return;
  object.add(invalid("roleRef", object.get("roleRef") ?? null, "cannot change roleRef"));
}

function frozenData(object: Checker, old: JsonObject): void {
  if (old["immutable"] !== true) return;
  for (const key of ["immutable", "data", "binaryData"]) {
    if (!equal(object.get(key), old[key] ?? undefined)) {
      object.add(forbidden(key, "field is immutable when `immutable` is set"));
    }
  }
}

const podDetail =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function validatePodUpdate(object: Checker, before: JsonObject): void {
  const spec = object.at("spec");
  if (spec.object === before) return;
  for (const list of ["containers", "initContainers"]) {
    if (lengthOf(spec.get(list)) !== lengthOf(before[list])) {
      spec.forbid(list, "pod updates may not add or remove containers");
      return;
    }
  }
  const changeable = ["activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"];
  const current = withoutImages(spec.object);
  if (differsOutside(current, withoutImages(before), changeable)) {
    object.add(forbidden("spec", podDetail));
  }
}

function withoutImages(spec: JsonObject): JsonObject {
  const strip = (list: JsonValue | undefined): JsonValue =>
    Array.isArray(list)
      ? list.map((each) => {
          const { image: _image, ...rest } = asObject(each) ?? {};
          return rest;
        })
      : null;
  return {
    ...spec,
    containers: strip(spec["containers"]),
    initContainers: strip(spec["initContainers"]),
  };
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

function differsOutside(left: JsonObject, right: JsonObject, except: readonly string[]): boolean {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].some(
    (key) => !except.includes(key) && !equal(left[key], right[key]),
  );
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path.split(".")) value = asObject(value)?.[key];
  return value;
}

/** Equality whatever the order of fields; what is absent and what is null are the same at the top. */
function equal(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || equalValues(left ?? null, right ?? null);
}
