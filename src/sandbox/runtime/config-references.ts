import type { KubernetesObject } from "../../objects/index.ts";
import type { Container, Pod } from "./pod-types.ts";

/** Reads ConfigMaps and Secrets of the pod's namespace. */
export type ConfigLookup = (
  resource: "/configmaps" | "/secrets",
  name: string,
) => KubernetesObject | undefined;

const kinds = {
  "/configmaps": { word: "configmap", title: "ConfigMap" },
  "/secrets": { word: "secret", title: "Secret" },
} as const;

/** Why a container cannot be created: something that its environment refers to is missing. */
export function environmentProblem(
  container: Container,
  namespace: string,
  read: ConfigLookup,
): string | undefined {
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const missing =
      missingObject("/configmaps", configMapRef, read) ??
      missingObject("/secrets", secretRef, read);
    if (missing !== undefined) return missing;
  }
  for (const { valueFrom } of container.env ?? []) {
    const missing =
      missingKey("/configmaps", valueFrom?.configMapKeyRef, namespace, read) ??
      missingKey("/secrets", valueFrom?.secretKeyRef, namespace, read);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** Why a pod's volumes cannot be mounted, in the kubelet's words. */
export function mountProblem({ spec }: Pod, read: ConfigLookup): string | undefined {
  for (const { name, configMap, secret, projected } of spec.volumes ?? []) {
    const secretSource = secret === undefined ? undefined : { ...secret, name: secret.secretName };
    const sources = [{ configMap, secret: secretSource }, ...(projected?.sources ?? [])];
    for (const source of sources) {
      const problem =
        missingFiles("/configmaps", source.configMap, read) ??
        missingFiles("/secrets", source.secret, read);
      if (problem !== undefined)
        return `MountVolume.SetUp failed for volume "${name}" : ${problem}`;
    }
  }
  return undefined;
}

interface Reference {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

function missingObject(
  resource: keyof typeof kinds,
  reference: Reference | undefined,
  read: ConfigLookup,
): string | undefined {
  if (reference === undefined || reference.optional === true) return undefined;
  const { name = "" } = reference;
  return read(resource, name) === undefined
    ? `${kinds[resource].word} "${name}" not found`
    : undefined;
}

function missingKey(
  resource: keyof typeof kinds,
  reference: (Reference & { readonly key: string }) | undefined,
  namespace: string,
  read: ConfigLookup,
): string | undefined {
  if (reference === undefined || reference.optional === true) return undefined;
  const { name = "", key } = reference;
  const found = read(resource, name);
  if (found === undefined) return `${kinds[resource].word} "${name}" not found`;
  return hasKey(found, key)
    ? undefined
    : `couldn't find key ${key} in ${kinds[resource].title} ${namespace}/${name}`;
}

function missingFiles(
  resource: keyof typeof kinds,
  source: (Reference & { readonly items?: readonly { readonly key: string }[] }) | undefined,
  read: ConfigLookup,
): string | undefined {
  const missing = missingObject(resource, source, read);
  if (missing !== undefined || source === undefined || source.optional === true) return missing;
  const found = read(resource, source.name ?? "");
  const key = (source.items ?? []).find((item) => found === undefined || !hasKey(found, item.key));
  return key === undefined
    ? undefined
    : `references non-existent ${resource === "/secrets" ? "secret" : "config"} key: ${key.key}`;
}

function hasKey(object: KubernetesObject, key: string): boolean {
  const data = object["data"] ?? {};
  const binary = object["binaryData"] ?? {};
  return Object.hasOwn(data, key) || Object.hasOwn(binary, key);
}
