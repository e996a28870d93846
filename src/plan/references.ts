import {
  fieldAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../json/index.ts";
import { groupOf, identityOf, type KubernetesObject } from "../objects/index.ts";
import { podReferences, type ObjectUse } from "./pod-references.ts";

/** Objects that an object names in its spec: better there before it, but not needed to exist. */
export function referencesOf(object: KubernetesObject): readonly ObjectUse[] {
  const { namespace } = identityOf(object);
  const spec = podSpecOf(object);
  if (spec !== undefined) return podReferences(spec, namespace);
  switch (object.kind) {
    case "RoleBinding":
    case "ClusterRoleBinding":
      return roleReferences(object, namespace);
    case "Ingress":
      return ingressReferences(object, namespace);
    case "GRPCRoute":
    case "HTTPRoute":
    case "TCPRoute":
    case "TLSRoute":
    case "UDPRoute":
      return routeReferences(object, namespace);
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
    object.kind === "CronJob" ? fieldAt(spec, "jobTemplate", "spec", "template") : spec["template"];
  const podSpec = isJsonObject(template) ? template["spec"] : undefined;
  return isJsonObject(podSpec) ? podSpec : undefined;
}

function roleReferences(object: KubernetesObject, namespace: string): readonly ObjectUse[] {
  const role = object["roleRef"] as JsonValue | undefined;
  const found: ObjectUse[] = [];
  if (isJsonObject(role) && typeof role["kind"] === "string" && typeof role["name"] === "string") {
    const target = {
      group: "rbac.authorization.k8s.io",
      kind: role["kind"],
      namespace: role["kind"] === "Role" ? namespace : "",
      name: role["name"],
    };
    found.push({ target, why: "it binds this role" });
  }
  for (const subject of objectsIn(object["subjects"])) {
    if (subject["kind"] !== "ServiceAccount" || typeof subject["name"] !== "string") continue;
    const where = typeof subject["namespace"] === "string" ? subject["namespace"] : namespace;
    found.push({
      target: { group: "", kind: "ServiceAccount", namespace: where, name: subject["name"] },
      why: "it binds this ServiceAccount",
    });
  }
  return found;
}

function ingressReferences(object: KubernetesObject, namespace: string): readonly ObjectUse[] {
  const paths = objectsIn(fieldAt(object, "spec", "rules")).flatMap((rule) =>
    objectsIn(fieldAt(rule, "http", "paths")),
  );
  const backends = [
    fieldAt(object, "spec", "defaultBackend"),
    fieldAt(object, "spec", "backend"),
    ...paths.map((path) => path["backend"]),
  ];
  // Before networking.k8s.io/v1 the name stood in a field of its own.
  return backends
    .map((backend) => fieldAt(backend, "service", "name") ?? fieldAt(backend, "serviceName"))
    .flatMap((name) => serviceReference(name, namespace));
}

/** The routes of the Gateway API: a backend is a Service unless it says something else. */
function routeReferences(object: KubernetesObject, namespace: string): readonly ObjectUse[] {
  return objectsIn(fieldAt(object, "spec", "rules"))
    .flatMap((rule) => objectsIn(rule["backendRefs"]))
    .filter(({ group, kind }) => (group ?? "") === "" && (kind ?? "Service") === "Service")
    .flatMap((backend) => {
      const where = backend["namespace"];
      return serviceReference(backend["name"], typeof where === "string" ? where : namespace);
    });
}

function serviceReference(name: unknown, namespace: string): readonly ObjectUse[] {
  if (typeof name !== "string" || name === "") return [];
  const target = { group: "", kind: "Service", namespace, name };
  return [{ target, why: "it leads to this Service" }];
}

function scaleTargetReferences(object: KubernetesObject, namespace: string): readonly ObjectUse[] {
  const target = fieldAt(object, "spec", "scaleTargetRef");
  if (
    !isJsonObject(target) ||
    typeof target["kind"] !== "string" ||
    typeof target["name"] !== "string"
  )
    return [];
  const apiVersion = typeof target["apiVersion"] === "string" ? target["apiVersion"] : "";
  return [
    {
      target: { group: groupOf(apiVersion), kind: target["kind"], namespace, name: target["name"] },
      why: "it scales this object",
    },
  ];
}
