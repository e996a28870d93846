import { qualifiedNameProblems } from "./names.ts";

const standard = new Set([
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [
    name,
    `requests.${name}`,
    `limits.${name}`,
  ]),
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "requests.storage",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
  "storage",
]);
const ofContainers = ["cpu", "memory", "ephemeral-storage"];
const counted = new Set([...standard].filter((name) => !/(?:cpu|memory|storage)$/.test(name)));

const notStandard = "must be a standard resource type or fully qualified";

/** What is wrong with the name of a resource in the amounts of a container, in a quota, or anywhere. */
export function resourceNameProblems(
  name: string,
  use: "any" | "container" | "quota",
): readonly string[] {
  const problems = [...qualifiedNameProblems(name)];
  if (problems.length === 0 && !name.includes("/") && !isStandardResource(name))
    problems.push(notStandard);
  if (use === "container") {
    const isKnown = ofContainers.includes(name) || name.startsWith("hugepages-");
    if (!name.includes("/") && !isKnown)
      problems.push("must be a standard resource for containers");
    if (name.includes("/") && !isExtended(name) && !name.startsWith("kubernetes.io/"))
      problems.push("doesn't follow extended resource name standard");
  }
  if (use === "quota" && !name.includes("/") && !isQuotaResource(name))
    problems.push("must be a standard resource for quota");
  return problems;
}

export function isStandardResource(name: string): boolean {
  return standard.has(name) || /^(?:requests\.)?hugepages-/.test(name);
}

/** Whether a quota can count a resource that Kubernetes itself knows. */
export function isQuotaResource(name: string): boolean {
  return name !== "storage" && isStandardResource(name);
}

/** A resource of which there are only whole ones. */
export function isIntegerResource(name: string): boolean {
  return counted.has(name) || isExtended(name);
}

/** Whether containers may be given more of a resource than there is. */
export function canBeOvercommitted(name: string): boolean {
  return isNative(name) && !name.startsWith("hugepages-");
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith("requests.")) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}
