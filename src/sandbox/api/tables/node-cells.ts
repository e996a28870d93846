import type { KubernetesObject } from "../../../objects/index.ts";
import { ageOf } from "./age.ts";
import { booleanAt, conditionAt, listAt, textIn, textOr } from "./read-fields.ts";

const rolePrefix = "node-role.kubernetes.io/";

export function nodeCells(node: KubernetesObject, now: number): readonly unknown[] {
  const info = "status.nodeInfo";
  const architecture = textIn(node, `${info}.architecture`);
  const kernel = textOr(node, `${info}.kernelVersion`, "<unknown>");
  return [
    node.metadata.name,
    nodeStatus(node),
    nodeRoles(node),
    ageOf(node, now),
    textIn(node, `${info}.kubeletVersion`),
    address(node, "InternalIP"),
    address(node, "ExternalIP"),
    textOr(node, `${info}.osImage`, "<unknown>"),
    architecture === "" ? kernel : `${kernel} (${architecture})`,
    textOr(node, `${info}.containerRuntimeVersion`, "<unknown>"),
  ];
}

function nodeStatus(node: KubernetesObject): string {
  const ready = conditionAt(node, "status.conditions", "Ready");
  const status = ready === undefined ? "Unknown" : ready === "True" ? "Ready" : "NotReady";
  return booleanAt(node, "spec.unschedulable") ? `${status},SchedulingDisabled` : status;
}

function nodeRoles({ metadata }: KubernetesObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === "kubernetes.io/role" ? [value] : [];
  });
  const named = [...new Set(roles.filter((role) => role !== ""))].sort();
  return named.length === 0 ? "<none>" : named.join(",");
}

function address(node: KubernetesObject, type: string): string {
  const found = listAt(node, "status.addresses").find((each) => textIn(each, "type") === type);
  return found === undefined ? "<none>" : textIn(found, "address");
}
