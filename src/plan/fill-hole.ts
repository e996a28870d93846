import { fail } from "../diagnostics/index.ts";
import { type JsonValue, stringifyJson, withFieldAt } from "../json/index.ts";
import {
  evaluateJsonPath,
  formatIdentity,
  type KubernetesObject,
  type Mutation,
  type ObjectIdentity,
  setAtJsonPath,
} from "../objects/index.ts";
import { type Hole, knownAfterApply } from "./hole.ts";

/** The object with a value in a hole; throws where an annotation leads to no place for it. */
export function fillHole(object: KubernetesObject, hole: Hole, value: JsonValue): KubernetesObject {
  const filled =
    hole.kind === "computed"
      ? withFieldAt(object, hole.at, () => value)
      : substitute(object as unknown as JsonValue, hole.mutation, value);
  return filled as KubernetesObject;
}

/** The object with words for people in a hole, where there is a place for them. */
export function coverHole(object: KubernetesObject, hole: Hole): KubernetesObject {
  if (hole.kind === "computed") return fillHole(object, hole, knownAfterApply);
  const { targetPath } = hole.mutation;
  const target = object as unknown as JsonValue;
  if (evaluateJsonPath(targetPath, target).value.length !== 1) return object;
  const { value } = setAtJsonPath(targetPath, target, knownAfterApply);
  return value.value as unknown as KubernetesObject;
}

/** What the source of a copied hole has for it. */
export function copiedValue(
  { sourcePath, sourcePathText }: Mutation,
  source: ObjectIdentity,
  object: KubernetesObject,
): JsonValue {
  const { value: found } = evaluateJsonPath(sourcePath, object as unknown as JsonValue);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0)
    mutationFailed(
      `sourcePath ${sourcePathText} hits ${found.length} fields of ${formatIdentity(source)}, not one`,
    );
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
  const after = token === undefined ? source : withToken(found[0], token, source, targetPathText);
  const { value } = setAtJsonPath(targetPath, target, after);
  if (value.places !== 1)
    mutationFailed(`targetPath ${targetPathText} hits ${value.places} fields, not one`);
  return value.value;
}

function withToken(before: unknown, token: string, source: JsonValue, at: string): string {
  if (typeof before !== "string")
    mutationFailed(`targetPath ${at} is no text, in which ${token} could be replaced`);
  if (!before.includes(token)) mutationFailed(`targetPath ${at} does not contain ${token}`);
  const text = typeof source === "string" ? source : stringifyJson(source);
  // As a function: the text may hold what `replaceAll` takes for a pattern.
  return before.replaceAll(token, () => text);
}

export function mutationFailed(why: string): never {
  fail({ code: "live.mutation-failed", summary: `apply-time mutation: ${why}` });
}
