import { meetsExpression } from "../objects/index.ts";
import { fieldAt, isJsonObject, objectsIn } from "../json/index.ts";

/** One condition on the labels of a pod. */
export interface PodRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values: readonly unknown[];
}

/** The selector of a Service: plain pairs. */
export function requirementsOfPairs(pairs: unknown): readonly PodRequirement[] {
  if (!isJsonObject(pairs)) return [];
  return Object.entries(pairs).map(([key, value]) => ({ key, operator: "In", values: [value] }));
}

/** A label selector with pairs and expressions; undefined when it says something unknown. */
export function requirementsOfSelector(selector: unknown): readonly PodRequirement[] | undefined {
  const found = [...requirementsOfPairs(fieldAt(selector, "matchLabels"))];
  for (const { key, operator, values } of objectsIn(fieldAt(selector, "matchExpressions"))) {
    if (typeof key !== "string") return undefined;
    if (
      operator !== "In" &&
      operator !== "NotIn" &&
      operator !== "Exists" &&
      operator !== "DoesNotExist"
    )
      return undefined;
    found.push({ key, operator, values: Array.isArray(values) ? values : [] });
  }
  return found;
}

export function meets(
  labels: Readonly<Record<string, unknown>>,
  requirements: readonly PodRequirement[],
): boolean {
  return requirements.every((requirement) => meetsExpression(requirement, labels));
}
