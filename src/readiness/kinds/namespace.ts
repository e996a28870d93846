import type { KubernetesObject } from "../../objects/index.ts";
import { type Readiness, current, inProgress } from "../readiness.ts";

export function namespace(object: KubernetesObject): Readiness {
  const { phase = "Active" } = (object["status"] ?? {}) as { phase?: string };
  return phase === "Active"
    ? current("Namespace is active")
    : inProgress(phase, `Namespace is ${phase.toLowerCase()}`);
}
