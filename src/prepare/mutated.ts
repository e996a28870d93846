import { apiVersionOf, type Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { JsonValue } from "../json/index.ts";
import {
  evaluateJsonPath,
  formatIdentity,
  identityKey,
  type KubernetesObject,
  type Mutation,
  type ObjectIdentity,
  setAtJsonPath,
} from "../objects/index.ts";

/** Fills in from sources by their identity keys; throws where a path does not hit exactly one field. */
export function mutated(
  object: KubernetesObject,
  mutations: readonly Mutation[],
  sources: ReadonlyMap<string, KubernetesObject>,
): KubernetesObject {
  let value = object as unknown as JsonValue;
  for (const mutation of mutations) {
    const source = sources.get(identityKey(mutation.source));
    if (source === undefined) mutationFailed(`there is no ${formatIdentity(mutation.source)}`);
    value = substitute(value, mutation, sourceValue(mutation, source));
  }
  return value as unknown as KubernetesObject;
}

/** A source that is not part of the run. */
export async function findSource(
  cluster: Cluster,
  { group, kind, namespace, name }: ObjectIdentity,
): Promise<KubernetesObject | undefined> {
  const resource = (await cluster.resources()).preferred(group, kind);
  if (resource === undefined)
    mutationFailed(`the cluster knows no kind ${kind} of the group ${JSON.stringify(group)}`);
  return cluster.find({ apiVersion: apiVersionOf(resource), kind, namespace, name });
}

function sourceValue(
  { source, sourcePath, sourcePathText }: Mutation,
  object: KubernetesObject,
): JsonValue {
  const { value: found } = evaluateJsonPath(sourcePath, object as unknown as JsonValue);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    mutationFailed(
      `sourcePath ${sourcePathText} hits ${found.length} fields of ${formatIdentity(source)}, not one`,
    );
  }
  return only;
}

function substitute(
  target: JsonValue,
  { targetPath, targetPathText, token }: Mutation,
  source: JsonValue,
): JsonValue {
  const { value: found } = evaluateJsonPath(targetPath, target);
  if (found.length !== 1)
    mutationFailed(`targetPath ${targetPathText} hits ${found.length} fields, not one`);
  const [before] = found;
  if (token === undefined) return put(target, targetPath, targetPathText, source);
  if (typeof before !== "string")
    mutationFailed(`targetPath ${targetPathText} is no text, in which ${token} could be replaced`);
  if (!before.includes(token))
    mutationFailed(`targetPath ${targetPathText} does not contain ${token}`);
  const text = typeof source === "string" ? source : JSON.stringify(source);
  return put(target, targetPath, targetPathText, before.replaceAll(token, text));
}

function put(
  target: JsonValue,
  path: Mutation["targetPath"],
  text: string,
  replacement: JsonValue,
): JsonValue {
  const { value } = setAtJsonPath(path, target, replacement);
  if (value.places !== 1) mutationFailed(`targetPath ${text} hits ${value.places} fields, not one`);
  return value.value;
}

export function mutationFailed(why: string): never {
  fail({ code: "live.mutation-failed", summary: `apply-time mutation: ${why}` });
}
