import { type KubernetesObject, meetsExpression } from "../../../../objects/index.ts";
import { at, listAt, textIn } from "../../tables/read-fields.ts";
import { type AdmittedPodSpec } from "../pod-resources.ts";

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Whether a quota speaks of an object: by default of all, with scopes only of some pods or claims. */
export function isInScope(quota: KubernetesObject, object: KubernetesObject): boolean {
  return scopesOf(quota).every((requirement) => meetsScope(requirement, object));
}

function scopesOf(quota: KubernetesObject): readonly ScopeRequirement[] {
  const named = listAt(quota, "spec.scopes") as readonly string[];
  return [
    ...named.map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(listAt(quota, "spec.scopeSelector.matchExpressions") as readonly ScopeRequirement[]),
  ];
}

function meetsScope(requirement: ScopeRequirement, object: KubernetesObject): boolean {
  if (object.kind === "PersistentVolumeClaim") return meetsClaimScope(requirement, object);
  if (object.kind !== "Pod") return false;
  const spec = object["spec"] as AdmittedPodSpec;
  switch (requirement.scopeName) {
    case "Terminating":
      return (spec.activeDeadlineSeconds ?? -1) >= 0;
    case "NotTerminating":
      return (spec.activeDeadlineSeconds ?? -1) < 0;
    case "BestEffort":
      return isBestEffort(object);
    case "NotBestEffort":
      return !isBestEffort(object);
    case "PriorityClass":
      return meetsOne(requirement, [spec.priorityClassName ?? ""]);
    case "CrossNamespacePodAffinity":
      return ["podAffinity", "podAntiAffinity"].some((kind) =>
        affinityTerms(at(spec.affinity, kind)).some(reachesOtherNamespaces),
      );
    default:
      return false;
  }
}

function meetsClaimScope(requirement: ScopeRequirement, claim: KubernetesObject): boolean {
  if (requirement.scopeName !== "VolumeAttributesClass") return false;
  const names = [
    textIn(claim, "spec.volumeAttributesClassName"),
    textIn(claim, "status.currentVolumeAttributesClassName"),
    textIn(claim, "status.modifyVolumeStatus.targetVolumeAttributesClassName"),
  ].filter((name) => name !== "");
  return meetsOne(requirement, names.length === 0 ? [""] : names);
}

function meetsOne(requirement: ScopeRequirement, names: readonly string[]): boolean {
  const { scopeName: key, operator, values = [] } = requirement;
  return names.some((name) =>
    meetsExpression({ key, operator, values }, name === "" ? {} : { [key]: name }),
  );
}

function isBestEffort(pod: KubernetesObject): boolean {
  return textIn(pod, "status.qosClass") === "BestEffort";
}

function affinityTerms(affinity: unknown): readonly unknown[] {
  const preferred = listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
  return [
    ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
    ...preferred.map((each) => at(each, "podAffinityTerm")),
  ];
}

function reachesOtherNamespaces(term: unknown): boolean {
  return listAt(term, "namespaces").length > 0 || at(term, "namespaceSelector") !== undefined;
}
