import type { KubernetesObject } from "../../objects/index.ts";
import { conditionOf, conditionsOf } from "../conditions.ts";
import { type Readiness, current, failed, inProgress } from "../readiness.ts";

export function customResourceDefinition(object: KubernetesObject): Readiness {
  const conditions = conditionsOf(object);
  const accepted = conditionOf(conditions, "NamesAccepted");
  if (accepted?.status === "False")
    return failed(accepted.reason ?? "NamesNotAccepted", accepted.message ?? "its names are taken");
  const established = conditionOf(conditions, "Established");
  if (established?.status === "True") return current("CustomResourceDefinition is established");
  if (established?.status === "False" && established.reason !== "Installing")
    return failed(established.reason ?? "NotEstablished", established.message ?? "it is refused");
  return inProgress(
    established?.reason ?? "NotEstablished",
    established?.message ?? "CustomResourceDefinition is not established yet",
  );
}
