import { fieldAt, isJsonObject, type JsonObject } from "../json/index.ts";
import { type FieldPath, groupOf, type KubernetesObject } from "../objects/index.ts";

/** A description of pods inside of an object. */
export interface PlacedPodTemplate {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly spec: JsonObject;
  /** Where the spec of the pods stands. */
  readonly path: FieldPath;
}

/** Where the kinds of Kubernetes that describe pods keep the template, by group and kind. */
const knownPlaces: ReadonlyMap<string, FieldPath> = new Map<string, FieldPath>([
  ["/Pod", []],
  ["/PodTemplate", ["template"]],
  ["/ReplicationController", ["spec", "template"]],
  ["apps/DaemonSet", ["spec", "template"]],
  ["apps/Deployment", ["spec", "template"]],
  ["apps/ReplicaSet", ["spec", "template"]],
  ["apps/StatefulSet", ["spec", "template"]],
  ["batch/CronJob", ["spec", "jobTemplate", "spec", "template"]],
  ["batch/Job", ["spec", "template"]],
  // Manifests of old charts are still about.
  ["extensions/DaemonSet", ["spec", "template"]],
  ["extensions/Deployment", ["spec", "template"]],
  ["extensions/ReplicaSet", ["spec", "template"]],
]);

/** Whether objects of this kind describe pods, in Kubernetes itself. */
export function runsPods({ apiVersion, kind }: KubernetesObject): boolean {
  return knownPlaces.has(`${groupOf(apiVersion)}/${kind}`);
}

/** The pod templates of an object; in kinds that Kubernetes does not have they may be anywhere. */
export function podTemplatesOf(object: KubernetesObject): readonly PlacedPodTemplate[] {
  const group = groupOf(object.apiVersion);
  const place = knownPlaces.get(`${group}/${object.kind}`);
  // The groups without a dot belong to Kubernetes, which has no other kinds that run pods.
  if (place === undefined) return group.includes(".") ? searchTemplates(object["spec"]) : [];
  const template = fieldAt(object, ...place);
  return isJsonObject(template) ? [templateAt(template, place)] : [];
}

function templateAt(value: JsonObject, path: FieldPath): PlacedPodTemplate {
  const spec = fieldAt(value, "spec");
  const labels = fieldAt(value, "metadata", "labels");
  return {
    labels: isJsonObject(labels) ? labels : {},
    spec: isJsonObject(spec) ? spec : {},
    path: [...path, "spec"],
  };
}

const templateName = /template$/i;

/** Looks for fields named like a template that hold the spec of a pod with containers. */
function searchTemplates(spec: unknown): readonly PlacedPodTemplate[] {
  const found: PlacedPodTemplate[] = [];
  const waiting: (readonly [unknown, FieldPath])[] = [[spec, ["spec"]]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, path] = next;
    if (typeof value !== "object" || value === null) continue;
    const name = path.at(-1);
    if (
      typeof name === "string" &&
      templateName.test(name) &&
      isJsonObject(value) &&
      Array.isArray(fieldAt(value, "spec", "containers"))
    ) {
      found.push(templateAt(value, path));
      continue;
    }
    const children = Object.entries(value).map(
      ([key, child]) => [child, [...path, Array.isArray(value) ? Number(key) : key]] as const,
    );
    waiting.push(...children.toReversed());
  }
  return found;
}
