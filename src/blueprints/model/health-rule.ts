import type { JsonObject } from "../../json/index.ts";
import { type FieldRequirement, readFieldRequirement } from "../requirements/requirement.ts";
import { objectAt, objectsAt, textAt } from "./read-fields.ts";

/** How a template says when an object of it is healthy. */
export type HealthRule =
  | { readonly kind: "always" }
  | { readonly kind: "singleCondition"; readonly type: string }
  | { readonly kind: "multiMatch"; readonly healthy: MatchRule; readonly unhealthy: MatchRule };

export interface MatchRule {
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
  readonly fields: readonly (FieldRequirement & { readonly messagePath: string | undefined })[];
}

export function readHealthRule(rule: JsonObject | undefined): HealthRule | undefined {
  if (rule === undefined) return undefined;
  if (Object.hasOwn(rule, "alwaysHealthy")) return { kind: "always" };
  const type = textAt(rule, "singleConditionType");
  if (type !== undefined) return { kind: "singleCondition", type };
  const multiMatch = objectAt(rule, "multiMatch");
  if (multiMatch === undefined) return undefined;
  return {
    kind: "multiMatch",
    healthy: readMatchRule(objectAt(multiMatch, "healthy")),
    unhealthy: readMatchRule(objectAt(multiMatch, "unhealthy")),
  };
}

function readMatchRule(rule: JsonObject | undefined): MatchRule {
  return {
    conditions: objectsAt(rule, "matchConditions").map((condition) => ({
      type: textAt(condition, "type") ?? "",
      status: textAt(condition, "status") ?? "",
    })),
    fields: objectsAt(rule, "matchFields").map((field) => ({
      ...readFieldRequirement(field),
      messagePath: textAt(field, "messagePath"),
    })),
  };
}
