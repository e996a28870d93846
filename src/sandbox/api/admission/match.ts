import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import { type ObjectSelector, selects } from "../object-selector.ts";
import type { ServedResource } from "../served-resource.ts";
import type { AdmissionAttributes } from "./attributes.ts";

/** Which writes a policy, a binding or a webhook is about. */
export interface MatchResources {
  readonly namespaceSelector?: ObjectSelector;
  readonly objectSelector?: ObjectSelector;
  readonly resourceRules?: readonly ResourceRule[];
  readonly excludeResourceRules?: readonly ResourceRule[];
  readonly matchPolicy?: string;
}

export interface ResourceRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

const configuration = "admissionregistration.k8s.io";

/** What decides about writes cannot be decided about, or nobody could ever change it again. */
export function isExempt({ request }: AdmissionAttributes): boolean {
  return request.resource.group === configuration;
}

/** The resource, in the version that the rules name; undefined when they are not about this write. */
export function matchedResource(
  context: ApiContext,
  attributes: AdmissionAttributes,
  match: MatchResources,
): ServedResource | undefined {
  if (!matchesNamespace(context, attributes, match.namespaceSelector)) return undefined;
  if (!matchesObject(attributes, match.objectSelector)) return undefined;
  const { excludeResourceRules = [], resourceRules = [], matchPolicy } = match;
  if (matchedByRules(context, attributes, excludeResourceRules, matchPolicy) !== undefined)
    return undefined;
  if (resourceRules.length === 0) return attributes.request.resource;
  return matchedByRules(context, attributes, resourceRules, matchPolicy);
}

/** As {@link matchedResource}, for rules alone. */
export function matchedByRules(
  { registry }: ApiContext,
  attributes: AdmissionAttributes,
  rules: readonly ResourceRule[],
  matchPolicy: string | undefined,
): ServedResource | undefined {
  const { resource } = attributes.request;
  const exact = rules.some((rule) => matchesRule(rule, attributes, resource));
  if (exact) return resource;
  if (rules.length === 0 || matchPolicy !== "Equivalent") return undefined;
  const others = registry.versionsOf(resource.storageKey).filter((each) => each !== resource);
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, attributes, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule(
  rule: ResourceRule,
  attributes: AdmissionAttributes,
  { group, version, resource, namespaced }: ServedResource,
): boolean {
  const { path } = attributes.request;
  const names = rule.resourceNames ?? [];
  return (
    includes(rule.operations, attributes.operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    (rule.resources ?? []).some((each) => matchesName(each, resource, path.subresource)) &&
    ((rule.scope ?? "*") === "*" || rule.scope === (namespaced ? "Namespaced" : "Cluster")) &&
    (names.length === 0 || names.includes(requestName(attributes)))
  );
}

/** The name that a request speaks of; empty as long as the server has not made one. */
export function requestName({ request, object }: AdmissionAttributes): string {
  return request.path.name === "" ? (object?.metadata.name ?? "") : request.path.name;
}

function includes(items: readonly string[] = [], item: string): boolean {
  return items.includes("*") || items.includes(item);
}

/** `pods`, `pods/status`, `*`, `*` and a part of any. */
function matchesName(pattern: string, resource: string, subresource: string): boolean {
  const [name = "", part = ""] = pattern.split(/\/(.*)/s);
  return (name === "*" || name === resource) && (part === "*" || part === subresource);
}

function matchesNamespace(
  { store }: ApiContext,
  attributes: AdmissionAttributes,
  selector: ObjectSelector | undefined,
): boolean {
  if (isEmpty(selector)) return true;
  const { request, object, operation } = attributes;
  const { path, resource } = request;
  const isNamespace = resource.storageKey === "/namespaces";
  if (path.namespace === "" && !isNamespace) return true;
  const isWritten = isNamespace && path.subresource === "" && operation !== "DELETE";
  const name = isNamespace ? path.name : path.namespace;
  const namespace = isWritten ? object : store.get("/namespaces", "", name)?.object;
  return selects(selector, namespace?.metadata.labels);
}

function matchesObject(
  { object, old }: AdmissionAttributes,
  selector: ObjectSelector | undefined,
): boolean {
  if (isEmpty(selector)) return true;
  const meets = (each: KubernetesObject | undefined): boolean =>
    each !== undefined && selects(selector, each.metadata.labels);
  return meets(object) || meets(old);
}

function isEmpty(selector: ObjectSelector | undefined): selector is undefined {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
