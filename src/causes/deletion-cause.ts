import type { KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { conditionOf, conditionsOf } from "./conditions.ts";
import { kubectlCommand } from "./kubectl-command.ts";

/** These are removed by controllers of Kubernetes itself when what they wait for is gone. */
const ordinary = ["foregroundDeletion", "orphan", "kubernetes"];

/** Why an object that is being deleted is still there; undefined when it only takes its time. */
export function deletionCause(object: KubernetesObject): Cause | undefined {
  const since = object.metadata.deletionTimestamp;
  if (object.kind === "Namespace") {
    const left = namespaceLeft(object);
    if (left !== undefined) return left;
  }
  const holding = (object.metadata["finalizers"] ?? []).filter((name) => !ordinary.includes(name));
  if (holding.length === 0) return undefined;
  return {
    reason: "Terminating",
    summary: `deletion waits for the ${holding.length === 1 ? "finalizer" : "finalizers"} ${holding.join(", ")}`,
    since,
    action: kubectlCommand("get", object, "-o jsonpath='{.metadata.finalizers}'"),
    isFinal: false,
  };
}

const remaining = [
  "NamespaceDeletionDiscoveryFailure",
  "NamespaceDeletionGroupVersionParsingFailure",
  "NamespaceDeletionContentFailure",
  "NamespaceFinalizersRemaining",
  "NamespaceContentRemaining",
];

function namespaceLeft(namespace: KubernetesObject): Cause | undefined {
  const conditions = conditionsOf(namespace);
  for (const type of remaining) {
    const found = conditionOf(conditions, type);
    if (found?.status !== "True") continue;
    return {
      reason: found.reason ?? type,
      summary: `deletion waits: ${(found.message ?? type).replace(/^Some (?:content|resources) in the namespace (?:has|are) /, "")}`,
      evidence: found.message,
      since: namespace.metadata.deletionTimestamp,
      action: kubectlCommand("get", namespace, "-o yaml"),
      isFinal: false,
    };
  }
  return undefined;
}
