import { fieldAt, isJsonObject, withFieldAt } from "../json/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { podReferences } from "../plan/index.ts";
import { configHashAnnotation } from "./bundle.ts";
import type { BundleWorld } from "./bundle-world.ts";

/** Kinds that roll their pods when the template changes. */
const rollingKinds = ["Deployment", "StatefulSet", "DaemonSet"];

export interface ConfigObject {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
}

/** The Secrets and ConfigMaps that the pods of an object read, if a change of them can roll the pods. */
export function configOf(object: KubernetesObject): readonly ConfigObject[] {
  const spec = fieldAt(object, "spec", "template", "spec");
  if (groupOf(object.apiVersion) !== "apps" || !rollingKinds.includes(object.kind)) return [];
  if (!isJsonObject(spec)) return [];
  const found = new Map<string, ConfigObject>();
  for (const { target } of podReferences(spec, "")) {
    const { kind, name } = target;
    if (kind === "Secret" || kind === "ConfigMap") found.set(`${kind} ${name}`, { kind, name });
  }
  return [...found.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, each]) => each);
}

/** A digest of all that some pods read. */
export function configHash(
  config: readonly ConfigObject[],
  { digestOf, hash }: Pick<BundleWorld, "digestOf" | "hash">,
): string {
  return hash(
    config
      .map(({ kind, name }) => `${kind} ${name} ${digestOf(kind, name) ?? "absent"}`)
      .join("\n"),
  );
}

/** The object with a digest of what its pods read in their template. */
export function withConfigHash(
  object: KubernetesObject,
  world: Pick<BundleWorld, "digestOf" | "hash">,
): KubernetesObject {
  const config = configOf(object);
  if (config.length === 0) return object;
  const hash = configHash(config, world);
  return withFieldAt(object, ["spec", "template"], (template) => {
    const metadata = fieldAt(template, "metadata");
    const before = fieldAt(metadata, "annotations");
    const annotations = {
      ...(isJsonObject(before) ? before : {}),
      [configHashAnnotation]: hash,
    };
    return {
      ...(isJsonObject(template) ? template : {}),
      metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations },
    };
  }) as KubernetesObject;
}
