import { apiVersionOf, type Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import {
  evaluateJsonPath,
  formatIdentity,
  identityKey,
  type JsonValue,
  type KubernetesObject,
  type Mutation,
  type ObjectIdentity,
  setAtJsonPath,
} from "../objects/index.ts";
import type { ApplyNode } from "../plan/index.ts";
import type { NodeContext } from "./run-plan.ts";

/** The object with its fields filled in from others that are ready now. */
export async function mutate(
  { object, mutations }: ApplyNode,
  { cluster, outcomes }: NodeContext,
): Promise<KubernetesObject> {
  const sources = new Map<string, KubernetesObject>();
  for (const { source } of mutations) {
    const key = identityKey(source);
    if (sources.has(key)) continue;
    const live = outcomes.get(key)?.live ?? (await findSource(cluster, source));
    if (live === undefined) failed(`there is no ${formatIdentity(source)}`);
    sources.set(key, live);
  }
  return mutated(object, mutations, sources);
}

/** Fills in from sources by their identity keys; throws where a path does not hit exactly one field. */
export function mutated(
  object: KubernetesObject,
  mutations: readonly Mutation[],
  sources: ReadonlyMap<string, KubernetesObject>,
): KubernetesObject {
  let value = object as unknown as JsonValue;
  for (const mutation of mutations) {
    const source = sources.get(identityKey(mutation.source));
    if (source === undefined) failed(`there is no ${formatIdentity(mutation.source)}`);
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
    failed(`the cluster knows no kind ${kind} of the group ${JSON.stringify(group)}`);
  return cluster.find({ apiVersion: apiVersionOf(resource), kind, namespace, name });
}

function sourceValue(
  { source, sourcePath, sourcePathText }: Mutation,
  object: KubernetesObject,
): JsonValue {
  const { value: found } = evaluateJsonPath(sourcePath, object as unknown as JsonValue);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    failed(
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
    failed(`targetPath ${targetPathText} hits ${found.length} fields, not one`);
  const [before] = found;
  if (token === undefined) return put(target, targetPath, targetPathText, source);
  if (typeof before !== "string")
    failed(`targetPath ${targetPathText} is no text, in which ${token} could be replaced`);
  if (!before.includes(token)) failed(`targetPath ${targetPathText} does not contain ${token}`);
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
  if (value.places !== 1) failed(`targetPath ${text} hits ${value.places} fields, not one`);
  return value.value;
}

function failed(why: string): never {
  fail({ code: "live.mutation-failed", summary: `apply-time mutation: ${why}` });
}
