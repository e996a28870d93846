import type { KubernetesObject } from "../../objects/index.ts";
import { current, failed, inProgress, type Readiness } from "../readiness.ts";

/** A record of something outside of Kubernetes is as ready as its provider left it. */
export function provisionedRecord(object: KubernetesObject): Readiness {
  const { phase, message } = (object["status"] ?? {}) as {
    readonly phase?: string;
    readonly message?: string;
  };
  if (phase === "Ready") return current("it is provisioned");
  if (phase === "Failed") return failed("ProviderFailed", message ?? "its provider failed");
  return inProgress(phase ?? "Pending", `its provider is at it: ${phase ?? "not begun"}`);
}
