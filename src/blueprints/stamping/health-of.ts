import { type JsonObject, stringifyJson } from "../../json/index.ts";
import { isSecret, type KubernetesObject, maskedValue } from "../../objects/index.ts";
import { type ReadinessContext, readinessOf } from "../../readiness/index.ts";
import type { HealthRule, MatchRule } from "../model/health-rule.ts";
import { objectsAt, textAt } from "../model/read-fields.ts";
import { evaluatePath } from "../requirements/evaluate-path.ts";
import { judgeField } from "../requirements/judge.ts";

export interface Health {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** What a verdict on an object's health may need: the time, and what definitions say of kinds. */
export interface HealthContext extends Pick<ReadinessContext, "childrenOf" | "rulesOf"> {
  readonly now: string;
}

/** How well a stamped object is: as its template says, else as objects of its kind are judged. */
export function healthOf(
  rule: HealthRule | undefined,
  object: KubernetesObject,
  context: HealthContext,
  /** Whether what matched is said as Cartographer says it. */
  isCartographer = false,
): Health {
  if (rule === undefined) return fromReadiness(object, context);
  switch (rule.kind) {
    case "always":
      return { status: "True", reason: "AlwaysHealthy", message: "" };
    case "singleCondition":
      return singleCondition(rule.type, object);
    case "multiMatch":
      return (
        anyUnhealthy(rule.unhealthy, object, isCartographer) ??
        allHealthy(rule.healthy, object, isCartographer) ?? {
          status: "Unknown",
          reason: "NoMatchesFulfilled",
          message: "",
        }
      );
  }
}

function fromReadiness(
  object: KubernetesObject,
  { now, rulesOf, childrenOf }: HealthContext,
): Health {
  const { status, reason, message } = readinessOf(object, {
    now: Date.parse(now),
    jobsMustComplete: true,
    rulesOf,
    childrenOf,
  });
  switch (status) {
    case "Current":
      return { status: "True", reason, message };
    case "Failed":
      return { status: "False", reason, message };
    case "InProgress":
    case "Terminating":
    case "NotFound":
    case "Unknown":
      return { status: "Unknown", reason, message };
  }
}

function singleCondition(type: string, object: KubernetesObject): Health {
  const condition = conditionsOf(object).find((each) => each["type"] === type);
  if (condition === undefined)
    return {
      status: "Unknown",
      reason: `${type}Condition`,
      message: `condition with type [${type}] not found on resource status`,
    };
  const status = textAt(condition, "status");
  return {
    status: status === "True" || status === "False" ? status : "Unknown",
    reason: `${type}Condition`,
    message: textAt(condition, "message") ?? "",
  };
}

/** Any of these makes an object unhealthy. */
function anyUnhealthy(
  rule: MatchRule,
  object: KubernetesObject,
  isCartographer: boolean,
): Health | undefined {
  const matched = matchesOf(rule, object, isCartographer).find((match) => match !== undefined);
  return matched === undefined ? undefined : { status: "False", ...matched };
}

/** All of these make it healthy; the first of them is told. */
function allHealthy(
  rule: MatchRule,
  object: KubernetesObject,
  isCartographer: boolean,
): Health | undefined {
  const matches = matchesOf(rule, object, isCartographer);
  const [first] = matches;
  return first === undefined || matches.includes(undefined)
    ? undefined
    : { status: "True", ...first };
}

type Match = Pick<Health, "reason" | "message"> | undefined;

/** For each part of a rule what is said of it when it matches. */
function matchesOf(
  rule: MatchRule,
  object: KubernetesObject,
  isCartographer: boolean,
): readonly Match[] {
  const root = object as unknown as JsonObject;
  return [
    ...rule.conditions.map(({ type, status }): Match => {
      const found = conditionsOf(object).find((each) => each["type"] === type);
      if (textAt(found, "status") !== status) return undefined;
      const message = textAt(found, "message") ?? "";
      return {
        reason: "MatchedCondition",
        message: `condition status: ${status}, message: ${message}`,
      };
    }),
    ...rule.fields.map((field): Match => {
      if (judgeField(field, { labels: {}, root }).outcome !== "yes") return undefined;
      const { messagePath } = field;
      const unread = `unknown, error retrieving message path [${messagePath ?? ""}]`;
      const message = isCartographer
        ? shownAt(messagePath ?? "", root, unread)
        : messagePath === undefined
          ? ""
          : shownAt(messagePath, root);
      return {
        reason: "MatchedField",
        message: `field value: ${shownAt(field.key, root)}, message: ${message}`,
      };
    }),
  ];
}

function shownAt(path: string, root: JsonObject, otherwise = "unknown"): string {
  if (isSecret(root)) return maskedValue;
  const found = path === "" ? undefined : evaluatePath(path, root);
  if (found?.kind !== "value") return otherwise;
  return typeof found.value === "string" ? found.value : stringifyJson(found.value);
}

function conditionsOf(object: KubernetesObject): readonly JsonObject[] {
  return objectsAt(object, "status", "conditions");
}
