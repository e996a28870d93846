import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../../causes/index.ts";
import { brokenRules } from "../rules/judge-rules.ts";
import { readinessRules } from "../rules/read-rules.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

export function customResourceDefinition(object: KubernetesObject): Readiness {
  const conditions = conditionsOf(object);
  const accepted = conditionOf(conditions, "NamesAccepted");
  if (accepted?.status === "False")
    return failed(accepted.reason ?? "NamesNotAccepted", accepted.message ?? "its names are taken");
  const broken = brokenRules(readinessRules(object));
  if (broken !== undefined) return broken;
  const established = conditionOf(conditions, "Established");
  if (established?.status === "True") return current("CustomResourceDefinition is established");
  if (established?.status === "False" && established.reason !== "Installing")
    return failed(established.reason ?? "NotEstablished", established.message ?? "it is refused");
  return inProgress(
    established?.reason ?? "NotEstablished",
    established?.message ?? "CustomResourceDefinition is not established yet",
  );
}
