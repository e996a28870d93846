import type { KubernetesObject } from "../objects/index.ts";

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export function conditionsOf(object: KubernetesObject): readonly Condition[] {
  const conditions = (object["status"] as { conditions?: unknown } | undefined)?.conditions;
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}

export function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}
