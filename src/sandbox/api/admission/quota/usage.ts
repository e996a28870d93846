import type { KubernetesObject } from "../../../../objects/index.ts";
import type { ServedResource } from "../../served-resource.ts";
import { at, listAt, textIn } from "../../tables/read-fields.ts";
import { type AdmittedPodSpec, podTotal } from "../pod-resources.ts";
import { addLists, greaterOf, type ResourceList } from "../resource-list.ts";

/** The name of the quota that counts the objects of a resource. */
export function countName({ group, resource }: Pick<ServedResource, "group" | "resource">): string {
  return `count/${resource}${group === "" ? "" : `.${group}`}`;
}

/** Objects that have a name of their own in quotas besides `count/…`. */
const shortNames: ReadonlySet<string> = new Set([
  "/configmaps",
  "/persistentvolumeclaims",
  "/replicationcontrollers",
  "/resourcequotas",
  "/secrets",
  "/services",
]);

const storageClassPart = ".storageclass.storage.k8s.io/";

/** What an object takes of quotas. */
export function chargedUsage(resource: ServedResource, object: KubernetesObject): ResourceList {
  const counted = { [countName(resource)]: "1" };
  switch (resource.storageKey) {
    case "/pods":
      return { ...counted, ...podUsage(object) };
    case "/services":
      return { ...counted, services: "1", ...serviceUsage(object) };
    case "/persistentvolumeclaims":
      return { ...counted, persistentvolumeclaims: "1", ...claimUsage(object) };
    default:
      return shortNames.has(resource.storageKey)
        ? { ...counted, [resource.resource]: "1" }
        : counted;
  }
}

/** Whether a quota of this name measures objects of a resource. */
export function measures(resource: ServedResource, name: string): boolean {
  if (name === countName(resource)) return true;
  switch (resource.storageKey) {
    case "/pods":
      return (
        podNames.has(name) || /^(?:requests\.)?hugepages-/.test(name) || isExtendedRequest(name)
      );
    case "/services":
      return ["services", "services.nodeports", "services.loadbalancers"].includes(name);
    case "/persistentvolumeclaims":
      return (
        claimNames.includes(name) ||
        claimNames.some((each) => name.endsWith(`${storageClassPart}${each}`))
      );
    default:
      return shortNames.has(resource.storageKey) && name === resource.resource;
  }
}

const claimNames = ["persistentvolumeclaims", "requests.storage"];
const computeNames = ["cpu", "memory", "ephemeral-storage"];
const podNames = new Set([
  "pods",
  ...computeNames,
  ...computeNames.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);

function isExtendedRequest(name: string): boolean {
  return name.startsWith("requests.") && isExtended(name);
}

function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

/** Pods that have ended take nothing but their place. */
function podUsage(pod: KubernetesObject): ResourceList {
  const phase = textIn(pod, "status.phase");
  if (phase === "Succeeded" || phase === "Failed") return {};
  const spec = pod["spec"] as AdmittedPodSpec;
  const { overhead = {} } = spec;
  const limits = podTotal(spec, "limits");
  const limitedOverhead = Object.fromEntries(
    Object.entries(overhead).filter(([name]) => limits[name] !== undefined),
  );
  return {
    pods: "1",
    ...computeUsage(
      addLists(podTotal(spec, "requests"), overhead),
      addLists(limits, limitedOverhead),
    ),
  };
}

/** Requests and limits by the names that quotas have for them. */
export function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage: Record<string, string> = {};
  for (const [name, quantity] of Object.entries(requests)) {
    const isPlain = computeNames.includes(name) || name.startsWith("hugepages-");
    if (isPlain) usage[name] = quantity;
    if (isPlain || isExtended(name)) usage[`requests.${name}`] = quantity;
  }
  for (const name of computeNames) {
    const quantity = limits[name];
    if (quantity !== undefined) usage[`limits.${name}`] = quantity;
  }
  return usage;
}

function serviceUsage(service: KubernetesObject): ResourceList {
  const type = textIn(service, "spec.type");
  const ports = listAt(service, "spec.ports");
  const fixed = ports.filter((port) => at(port, "nodePort") !== undefined);
  const isBalanced = type === "LoadBalancer";
  const allocates = at(service, "spec.allocateLoadBalancerNodePorts") !== false;
  const opened = isBalanced && !allocates ? fixed : ports;
  return {
    "services.loadbalancers": isBalanced ? "1" : "0",
    "services.nodeports": String(isBalanced || type === "NodePort" ? opened.length : 0),
  };
}

function claimUsage(claim: KubernetesObject): ResourceList {
  const asked = textIn(claim, "spec.resources.requests.storage");
  const given = textIn(claim, "status.allocatedResources.storage");
  const storage: ResourceList =
    asked === ""
      ? {}
      : greaterOf({ "requests.storage": asked }, given === "" ? {} : { "requests.storage": given });
  const storageClass =
    claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ??
    textIn(claim, "spec.storageClassName");
  if (storageClass === "") return storage;
  const ofClass = { persistentvolumeclaims: "1", ...storage };
  const byClass = Object.entries(ofClass).map(([name, quantity]) => [
    `${storageClass}${storageClassPart}${name}`,
    quantity,
  ]);
  return { ...storage, ...Object.fromEntries(byClass) };
}
