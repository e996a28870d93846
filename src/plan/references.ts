import {
  identityOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";

export interface Reference {
  readonly target: ObjectIdentity;
  readonly why: string;
}

/** Objects that an object names in its spec: better there before it, but not needed to exist. */
export function referencesOf(object: KubernetesObject): readonly Reference[] {
  const { namespace } = identityOf(object);
  const spec = podSpecOf(object);
  if (spec !== undefined) return podReferences(spec, namespace);
  switch (object.kind) {
    case "RoleBinding":
    case "ClusterRoleBinding":
      return roleReferences(object, namespace);
    case "Ingress":
      return ingressReferences(object, namespace);
    case "HorizontalPodAutoscaler":
      return scaleTargetReferences(object, namespace);
    default:
      return [];
  }
}

function podSpecOf(object: KubernetesObject): JsonObject | undefined {
  const spec = object["spec"] as JsonValue | undefined;
  if (!isJsonObject(spec)) return undefined;
  if (object.kind === "Pod") return spec;
  const template =
    object.kind === "CronJob" ? at(spec, "jobTemplate", "spec", "template") : spec["template"];
  const podSpec = isJsonObject(template) ? template["spec"] : undefined;
  return isJsonObject(podSpec) ? podSpec : undefined;
}

function podReferences(spec: JsonObject, namespace: string): readonly Reference[] {
  const found: Reference[] = [];
  const add = (kind: string, name: JsonValue | undefined, why: string): void => {
    if (typeof name === "string" && name !== "")
      found.push({ target: { group: "", kind, namespace, name }, why });
  };
  add("ServiceAccount", spec["serviceAccountName"], "its pods run as this ServiceAccount");
  for (const volume of objectsIn(spec["volumes"])) {
    add("ConfigMap", at(volume, "configMap", "name"), "its pods mount this ConfigMap");
    add("Secret", at(volume, "secret", "secretName"), "its pods mount this Secret");
    add(
      "PersistentVolumeClaim",
      at(volume, "persistentVolumeClaim", "claimName"),
      "its pods mount this claim",
    );
  }
  for (const container of [
    ...objectsIn(spec["containers"]),
    ...objectsIn(spec["initContainers"]),
  ]) {
    for (const source of objectsIn(container["envFrom"])) {
      add(
        "ConfigMap",
        at(source, "configMapRef", "name"),
        "its environment comes from this ConfigMap",
      );
      add("Secret", at(source, "secretRef", "name"), "its environment comes from this Secret");
    }
    for (const variable of objectsIn(container["env"])) {
      add(
        "ConfigMap",
        at(variable, "valueFrom", "configMapKeyRef", "name"),
        "its environment comes from this ConfigMap",
      );
      add(
        "Secret",
        at(variable, "valueFrom", "secretKeyRef", "name"),
        "its environment comes from this Secret",
      );
    }
  }
  return found;
}

function roleReferences(object: KubernetesObject, namespace: string): readonly Reference[] {
  const role = object["roleRef"] as JsonValue | undefined;
  const found: Reference[] = [];
  if (isJsonObject(role) && typeof role["kind"] === "string" && typeof role["name"] === "string") {
    const target = {
      group: "rbac.authorization.k8s.io",
      kind: role["kind"],
      namespace: role["kind"] === "Role" ? namespace : "",
      name: role["name"],
    };
    found.push({ target, why: "it binds this role" });
  }
  for (const subject of objectsIn(object["subjects"] as JsonValue | undefined)) {
    if (subject["kind"] !== "ServiceAccount" || typeof subject["name"] !== "string") continue;
    const where = typeof subject["namespace"] === "string" ? subject["namespace"] : namespace;
    found.push({
      target: { group: "", kind: "ServiceAccount", namespace: where, name: subject["name"] },
      why: "it binds this ServiceAccount",
    });
  }
  return found;
}

function ingressReferences(object: KubernetesObject, namespace: string): readonly Reference[] {
  const spec = object["spec"] as JsonValue | undefined;
  const paths = isJsonObject(spec)
    ? objectsIn(spec["rules"]).flatMap((rule) => objectsIn(at(rule, "http", "paths")))
    : [];
  return paths.flatMap((path) => {
    const name = at(path, "backend", "service", "name");
    return typeof name === "string"
      ? [
          {
            target: { group: "", kind: "Service", namespace, name },
            why: "it leads to this Service",
          },
        ]
      : [];
  });
}

function scaleTargetReferences(object: KubernetesObject, namespace: string): readonly Reference[] {
  const target = at(object["spec"] as JsonValue | undefined, "scaleTargetRef");
  if (
    !isJsonObject(target) ||
    typeof target["kind"] !== "string" ||
    typeof target["name"] !== "string"
  )
    return [];
  const apiVersion = typeof target["apiVersion"] === "string" ? target["apiVersion"] : "";
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return [
    {
      target: { group, kind: target["kind"], namespace, name: target["name"] },
      why: "it scales this object",
    },
  ];
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const word of path) current = isJsonObject(current) ? current[word] : undefined;
  return current;
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}
