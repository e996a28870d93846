import type { KubernetesObject } from "../../objects/index.ts";
import { type Readiness, current, inProgress } from "../readiness.ts";

const waitAnnotation = "keelson.dev/wait";

/** A load balancer is ready when it has an address, unless the service says not to wait for it. */
export function service(object: KubernetesObject): Readiness {
  const { type } = (object["spec"] ?? {}) as { type?: string };
  if (type !== "LoadBalancer") return current("Service is ready");
  if (object.metadata.annotations?.[waitAnnotation] === "none")
    return current("Service is not waited for");
  const { loadBalancer } = (object["status"] ?? {}) as {
    loadBalancer?: { ingress?: readonly unknown[] };
  };
  return (loadBalancer?.ingress ?? []).length > 0
    ? current("the load balancer has an address")
    : inProgress("NoAddress", "the load balancer has no address yet");
}
