import {
  type KubernetesObject,
  meetsExpression,
  type SelectorExpression,
} from "../../objects/index.ts";

/** A selector as objects carry it; services and replication controllers have the plain map only. */
export interface ObjectSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly SelectorExpression[];
}

type Labels = KubernetesObject["metadata"]["labels"];

/** Whether labels meet a selector. An empty selector selects everything, a missing one nothing. */
export function selects(selector: ObjectSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (labels[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((each) => meetsExpression(each, labels));
}
