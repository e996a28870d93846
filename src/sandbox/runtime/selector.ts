import type { KubernetesObject } from "../../objects/index.ts";

/** A selector as objects carry it; services and replication controllers have the plain map only. */
export interface ObjectSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

type Labels = KubernetesObject["metadata"]["labels"];

/** Whether labels meet a selector. An empty selector selects everything, a missing one nothing. */
export function selects(selector: ObjectSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (labels[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    switch (operator) {
      case "In":
        return value !== undefined && values.includes(value);
      case "NotIn":
        return value === undefined || !values.includes(value);
      case "Exists":
        return value !== undefined;
      case "DoesNotExist":
        return value === undefined;
      default:
        return false;
    }
  });
}
