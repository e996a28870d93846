import { evaluate, type Program } from "../../cel/index.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import {
  evaluateJsonPath,
  groupOf,
  isSecret,
  type JsonPath,
  type KubernetesObject,
  maskSecrets,
} from "../../objects/index.ts";
import type { ReadinessContext } from "../readiness-context.ts";
import { current, failed, inProgress, type Readiness } from "../readiness.ts";
import { compileReadyWhen, readyWhenAnnotation } from "./expression-rule.ts";
import type { ReadinessRules, ReadyWhen } from "./readiness-rules.ts";

/** The reason of everything that is wrong with a rule rather than with the object. */
export const invalidRule = "InvalidReadinessRule";

/** The verdict of an object's own rule, or of its definition's; undefined when there is none. */
export function judgeByRules(
  object: KubernetesObject,
  context: ReadinessContext,
): Readiness | undefined {
  const own = object.metadata.annotations?.[readyWhenAnnotation];
  // Whoever writes a rule on a Secret need not be allowed to read it: the verdict must not tell of values.
  if (own !== undefined)
    return judgeByOwnRule(isSecret(object) ? maskSecrets(object) : object, own);
  const rules = context.rulesOf?.(groupOf(object.apiVersion), object.kind);
  if (rules === undefined) return undefined;
  const broken = brokenRules(rules);
  if (broken !== undefined) return broken;
  const verdicts = rules.readyWhen.map((rule) => judge(rule, object, context));
  return verdicts.find(({ status }) => status !== "Current") ?? verdicts[0];
}

/** Whether an object, or its definition, says itself when it is ready. */
export function hasReadinessRule(
  { apiVersion, kind, metadata }: KubernetesObject,
  { rulesOf }: Pick<ReadinessContext, "rulesOf">,
): boolean {
  if (metadata.annotations?.[readyWhenAnnotation] !== undefined) return true;
  const rules = rulesOf?.(groupOf(apiVersion), kind);
  return rules !== undefined && (rules.readyWhen.length > 0 || brokenRules(rules) !== undefined);
}

/** What every instance of a definition with a mistake in its rules has to say. */
export function brokenRules({ problems }: ReadinessRules): Readiness | undefined {
  const error = problems.find(({ diagnostic }) => diagnostic.severity === "error");
  return error === undefined ? undefined : failed(invalidRule, error.diagnostic.summary);
}

function judgeByOwnRule(object: KubernetesObject, text: string): Readiness {
  const compilation = compileReadyWhen(text);
  return compilation.kind === "program"
    ? judgeExpression(object, text, compilation.program)
    : failed(invalidRule, `${readyWhenAnnotation} cannot be compiled: ${compilation.text}`);
}

function judge(rule: ReadyWhen, object: KubernetesObject, context: ReadinessContext): Readiness {
  switch (rule.kind) {
    case "field":
      return judgeField(object, rule.path, rule.value);
    case "exists":
      return judgeExistence(object, rule.apiVersion, rule.ownedKind, context);
    case "expression":
      return judgeExpression(object, rule.text, rule.program);
  }
}

const notYet = "FieldNotEqual";

function judgeField(object: KubernetesObject, path: JsonPath, wanted: string): Readiness {
  const { value: values, diagnostics } = evaluateJsonPath(path, object as unknown as JsonObject);
  const [trouble] = diagnostics;
  // An index may be out of bounds only until the list is filled.
  if (trouble !== undefined) return inProgress(notYet, trouble.summary);
  const waits = `waits for ${path.text} to be ${wanted}`;
  if (values.length === 0) return inProgress("FieldMissing", `${waits}; it is not there`);
  for (const value of values) {
    const text = textOf(value);
    if (text === undefined)
      return failed("FieldNotComparable", `${path.text} is a list or a map, no text to compare`);
    if (text !== wanted) return inProgress(notYet, `${waits}; it is ${text}`);
  }
  return current(`${path.text} is ${wanted}`);
}

function textOf(value: JsonValue): string | undefined {
  if (value === null) return "null";
  return typeof value === "object" ? undefined : String(value);
}

function judgeExistence(
  object: KubernetesObject,
  apiVersion: string,
  kind: string,
  { childrenOf }: ReadinessContext,
): Readiness {
  const { uid, namespace } = object.metadata;
  const owned = (childrenOf?.(object) ?? []).find(
    ({ metadata, ...child }) =>
      child.kind === kind &&
      groupOf(child.apiVersion) === groupOf(apiVersion) &&
      metadata.namespace === namespace &&
      metadata.deletionTimestamp === undefined &&
      (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid),
  );
  return owned === undefined
    ? inProgress("NotBound", `waits for a ${kind} that belongs to it`)
    : current(`${kind} ${owned.metadata.name ?? ""} belongs to it`);
}

function judgeExpression(object: KubernetesObject, text: string, program: Program): Readiness {
  const result = evaluate(program, { self: object as unknown as JsonObject });
  const shown = text.trim().replaceAll(/\s+/g, " ").slice(0, 200);
  switch (result.kind) {
    case "value":
      if (result.value === true) return current(`it holds that ${shown}`);
      return result.value === false
        ? inProgress("ConditionNotMet", `waits for ${shown}`)
        : failed(invalidRule, `${readyWhenAnnotation} is neither true nor false: ${shown}`);
    case "failure":
      return result.isMissing
        ? inProgress("ConditionNotMet", `waits for ${shown}; ${result.message}`)
        : failed(invalidRule, `${readyWhenAnnotation} cannot be evaluated: ${result.message}`);
    case "too-costly":
      return failed(invalidRule, `${readyWhenAnnotation} takes too many steps: ${shown}`);
  }
}
