import type { KubernetesObject } from "../../../objects/index.ts";
import { compareQuantities, readQuantity } from "../../../schema/index.ts";
import type { ApiContext } from "../api-context.ts";
import { type AdmissionAttributes, admissionRefusal } from "./attributes.ts";
import {
  type AdmittedContainer,
  type AdmittedPodSpec,
  podTotal,
  type ResourceNeeds,
} from "./pod-resources.ts";
import type { ResourceList } from "./resource-list.ts";

interface Limit {
  readonly type: string;
  readonly min?: ResourceList;
  readonly max?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

const annotation = "kubernetes.io/limit-ranger";

/** Fills in what the LimitRanges of the namespace say of containers that do not say it themselves. */
export function withLimitDefaults(context: ApiContext, pod: KubernetesObject): KubernetesObject {
  let result = pod;
  for (const limits of limitsOf(context, pod.metadata.namespace)) {
    result = withDefaults(result, limits);
  }
  return result;
}

/** Refuses what is outside of the LimitRanges of the namespace. */
export function requireLimits(context: ApiContext, attributes: AdmissionAttributes): void {
  const { object, request } = attributes;
  if (object === undefined) return;
  for (const limits of limitsOf(context, request.path.namespace)) {
    const problems = limits.flatMap((limit) => problemsOf(limit, object));
    if (problems.length > 0) throw admissionRefusal(attributes, aggregate(problems));
  }
}

function limitsOf({ store }: ApiContext, namespace = ""): readonly (readonly Limit[])[] {
  return store
    .list("/limitranges", namespace)
    .map(({ object }) => (object["spec"] as { limits?: readonly Limit[] }).limits ?? []);
}

function withDefaults(pod: KubernetesObject, limits: readonly Limit[]): KubernetesObject {
  const ofContainers = limits.filter(({ type }) => type === "Container");
  const requests = merged(ofContainers, "defaultRequest");
  const caps = merged(ofContainers, "default");
  const said: string[] = [];
  const complete = (container: AdmittedContainer, what: string): AdmittedContainer => {
    const { resources = {}, name } = container;
    const added = (given: ResourceList = {}, defaults: ResourceList): readonly string[] =>
      Object.keys(defaults)
        .filter((key) => given[key] === undefined)
        .toSorted();
    const newRequests = added(resources.requests, requests);
    const newLimits = added(resources.limits, caps);
    if (newRequests.length > 0) said.push(`${newRequests.join(", ")} request for ${what} ${name}`);
    if (newLimits.length > 0) said.push(`${newLimits.join(", ")} limit for ${what} ${name}`);
    if (newRequests.length + newLimits.length === 0) return container;
    return {
      ...container,
      resources: {
        ...resources,
        ...withAdded("limits", { ...caps, ...resources.limits }),
        ...withAdded("requests", { ...requests, ...resources.requests }),
      },
    };
  };
  const spec = (pod["spec"] ?? {}) as AdmittedPodSpec;
  const containers = spec.containers?.map((each) => complete(each, "container"));
  const initContainers = spec.initContainers?.map((each) => complete(each, "init container"));
  if (said.length === 0) return pod;
  const text = `LimitRanger plugin set: ${said.join("; ")}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, [annotation]: text },
    },
    spec: {
      ...spec,
      ...(containers === undefined ? {} : { containers }),
      ...(initContainers === undefined ? {} : { initContainers }),
    },
  };
}

function merged(limits: readonly Limit[], key: "default" | "defaultRequest"): ResourceList {
  return Object.assign({}, ...limits.map((limit) => limit[key] ?? {})) as ResourceList;
}

function withAdded(key: keyof ResourceNeeds, list: ResourceList): ResourceNeeds {
  return Object.keys(list).length === 0 ? {} : { [key]: list };
}

function problemsOf(limit: Limit, object: KubernetesObject): readonly string[] {
  if (limit.type === "PersistentVolumeClaim" && object.kind === limit.type) {
    const { resources = {} } = object["spec"] as { resources?: ResourceNeeds };
    const { requests = {} } = resources;
    return [
      ...each(limit.min, (name, bound) =>
        tooLittle("PersistentVolumeClaim", name, bound, { requests }),
      ),
      ...each(limit.max, (name, bound) => claimTooMuch(name, bound, requests)),
    ];
  }
  if (object.kind !== "Pod") return [];
  const spec = object["spec"] as AdmittedPodSpec;
  if (limit.type === "Pod") {
    const total = { requests: podTotal(spec, "requests"), limits: podTotal(spec, "limits") };
    return outside(limit, total);
  }
  if (limit.type !== "Container") return [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(
    ({ resources = {} }) => outside(limit, resources),
  );
}

function outside(limit: Limit, needs: ResourceNeeds): readonly string[] {
  const { type } = limit;
  return [
    ...each(limit.min, (name, bound) => tooLittle(type, name, bound, needs)),
    ...each(limit.max, (name, bound) => tooMuch(type, name, bound, needs)),
    ...each(limit.maxLimitRequestRatio, (name, bound) => tooFarApart(type, name, bound, needs)),
  ];
}

function each(
  bounds: ResourceList = {},
  check: (name: string, bound: string) => string | undefined,
): readonly string[] {
  return Object.entries(bounds).flatMap(([name, bound]) => check(name, bound) ?? []);
}

function tooLittle(
  type: string,
  name: string,
  bound: string,
  { requests = {}, limits = {} }: ResourceNeeds,
): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  const request = requests[name];
  const limit = limits[name];
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isLess(request, bound)) return `${rule}, but request is ${request}`;
  return limit !== undefined && isLess(limit, bound) ? `${rule}, but limit is ${limit}` : undefined;
}

function tooMuch(
  type: string,
  name: string,
  bound: string,
  { requests = {}, limits = {} }: ResourceNeeds,
): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  const request = requests[name];
  const limit = limits[name];
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (isLess(bound, limit)) return `${rule}, but limit is ${limit}`;
  const isOver = request !== undefined && isLess(bound, request);
  return isOver ? `${rule}, but request is ${request}` : undefined;
}

function claimTooMuch(name: string, bound: string, requests: ResourceList): string | undefined {
  const rule = `maximum ${name} usage per PersistentVolumeClaim is ${bound}`;
  const request = requests[name];
  if (request === undefined) return `${rule}.  No request is specified`;
  return isLess(bound, request) ? `${rule}, but request is ${request}` : undefined;
}

function tooFarApart(
  type: string,
  name: string,
  bound: string,
  { requests = {}, limits = {} }: ResourceNeeds,
): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  const request = amount(requests[name]);
  const limit = amount(limits[name]);
  if (request === 0) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > amount(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

function isLess(left: string, right: string): boolean {
  return (compareQuantities(left, right) ?? 0) < 0;
}

function amount(text = "0"): number {
  const quantity = readQuantity(text);
  return quantity === undefined ? 0 : Number(quantity.digits) * 10 ** quantity.exponent;
}

/** Several problems are shown as a list, each once. */
function aggregate(problems: readonly string[]): string {
  const [first = "", ...others] = new Set(problems);
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}
