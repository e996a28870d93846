import { type KubernetesObject, meetsExpression } from "../../objects/index.ts";
import type { NodeSelectorTerm, PodSpec, Toleration } from "./pod-types.ts";

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/**
 * Why a pod cannot run on a node however much room there is, in the scheduler's words; undefined when
 * it can.
 */
export function misfit(spec: PodSpec, node: KubernetesObject): string | undefined {
  const { unschedulable, taints = [] } = (node["spec"] ?? {}) as {
    unschedulable?: boolean;
    taints?: readonly Taint[];
  };
  const tolerations = spec.tolerations ?? [];
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  if (unschedulable === true && !isTolerated(cordon, tolerations)) {
    return "node(s) were unschedulable";
  }
  const isTainted = taints.some(
    (taint) => taint.effect !== "PreferNoSchedule" && !isTolerated(taint, tolerations),
  );
  if (isTainted) return "node(s) had untolerated taint(s)";
  if (!matchesNode(spec, node)) return "node(s) didn't match Pod's node affinity/selector";
  return undefined;
}

/** Whether a node is one that a pod's selector and affinity ask for. */
export function matchesNode(spec: PodSpec, { metadata }: KubernetesObject): boolean {
  const labels = metadata.labels ?? {};
  const wanted = Object.entries(spec.nodeSelector ?? {});
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms;
  if (terms === undefined) return true;
  const fields = { "metadata.name": metadata.name ?? "" };
  return terms.some((term) => matchesTerm(term, labels, fields));
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some(({ key = "", operator = "Equal", value = "", effect = "" }) => {
    if (effect !== "" && effect !== taint.effect) return false;
    if (key === "") return operator === "Exists";
    if (key !== taint.key) return false;
    return operator === "Exists" || value === (taint.value ?? "");
  });
}

type Values = Readonly<Record<string, string>>;

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  labels: Values,
  fields: Values,
): boolean {
  // A term that asks for nothing matches nothing.
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => meetsExpression(requirement, labels)) &&
    matchFields.every((requirement) => meetsExpression(requirement, fields))
  );
}
