import { fieldAt, type JsonObject, objectsIn } from "../json/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";

export interface ObjectUse {
  readonly target: ObjectIdentity;
  readonly why: string;
}

/** What the spec of a pod names: accounts, claims, ConfigMaps and Secrets. */
export function podReferences(spec: JsonObject, namespace: string): readonly ObjectUse[] {
  const found: ObjectUse[] = [];
  const add = (kind: string, name: unknown, why: string): void => {
    if (typeof name === "string" && name !== "")
      found.push({ target: { group: "", kind, namespace, name }, why });
  };
  add("ServiceAccount", spec["serviceAccountName"], "its pods run as this ServiceAccount");
  for (const secret of objectsIn(spec["imagePullSecrets"]))
    add("Secret", secret["name"], "its images are pulled with this Secret");
  for (const volume of objectsIn(spec["volumes"])) {
    add("ConfigMap", fieldAt(volume, "configMap", "name"), "its pods mount this ConfigMap");
    add("Secret", fieldAt(volume, "secret", "secretName"), "its pods mount this Secret");
    add(
      "PersistentVolumeClaim",
      fieldAt(volume, "persistentVolumeClaim", "claimName"),
      "its pods mount this claim",
    );
    for (const source of objectsIn(fieldAt(volume, "projected", "sources"))) {
      add("ConfigMap", fieldAt(source, "configMap", "name"), "its pods mount this ConfigMap");
      add("Secret", fieldAt(source, "secret", "name"), "its pods mount this Secret");
    }
  }
  for (const field of ["containers", "initContainers", "ephemeralContainers"])
    for (const container of objectsIn(spec[field])) addEnvironment(container, add);
  return found;
}

function addEnvironment(
  container: JsonObject,
  add: (kind: string, name: unknown, why: string) => void,
): void {
  const ofConfigMap = "its environment comes from this ConfigMap";
  const ofSecret = "its environment comes from this Secret";
  for (const source of objectsIn(container["envFrom"])) {
    add("ConfigMap", fieldAt(source, "configMapRef", "name"), ofConfigMap);
    add("Secret", fieldAt(source, "secretRef", "name"), ofSecret);
  }
  for (const variable of objectsIn(container["env"])) {
    add("ConfigMap", fieldAt(variable, "valueFrom", "configMapKeyRef", "name"), ofConfigMap);
    add("Secret", fieldAt(variable, "valueFrom", "secretKeyRef", "name"), ofSecret);
  }
}
