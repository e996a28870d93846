import {
  fieldAt,
  type FieldPath,
  groupOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
} from "../objects/index.ts";

/** A description of pods inside of an object. */
export interface PodTemplate {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly spec: JsonObject;
  /** Where the spec of the pods stands. */
  readonly path: FieldPath;
}

/** Where the kinds of Kubernetes that run pods keep the template, by group and kind. */
const knownPlaces: ReadonlyMap<string, FieldPath> = new Map<string, FieldPath>([
  ["/Pod", []],
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

/** Whether Kubernetes itself runs pods for objects of this kind. */
export function runsPods({ apiVersion, kind }: KubernetesObject): boolean {
  return knownPlaces.has(`${groupOf(apiVersion)}/${kind}`);
}

/** The pod templates of an object; in kinds that Kubernetes does not have they may be anywhere. */
export function podTemplatesOf(object: KubernetesObject): readonly PodTemplate[] {
  const place = knownPlaces.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  if (place === undefined) return searchTemplates(object["spec"]);
  const found = templateAt(fieldAt(object, ...place), place);
  return found === undefined ? [] : [found];
}

function templateAt(value: unknown, path: FieldPath): PodTemplate | undefined {
  const spec = fieldAt(value, "spec");
  if (!isJsonObject(spec)) return undefined;
  const labels = fieldAt(value, "metadata", "labels");
  return { labels: isJsonObject(labels) ? labels : {}, spec, path: [...path, "spec"] };
}

const templateName = /template$/i;

/** Looks for fields named like a template that hold the spec of a pod with containers. */
function searchTemplates(spec: unknown): readonly PodTemplate[] {
  const found: PodTemplate[] = [];
  const waiting: (readonly [unknown, FieldPath])[] = [[spec, ["spec"]]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, path] = next;
    if (typeof value !== "object" || value === null) continue;
    const name = path.at(-1);
    const template =
      typeof name === "string" && templateName.test(name) ? templateAt(value, path) : undefined;
    if (template !== undefined && Array.isArray(template.spec["containers"])) {
      found.push(template);
      continue;
    }
    const children = Object.entries(value).map(
      ([key, child]) => [child, [...path, Array.isArray(value) ? Number(key) : key]] as const,
    );
    waiting.push(...children.toReversed());
  }
  return found;
}
