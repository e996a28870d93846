import { type JsonValue, equalValues } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { forbiddenStatus } from "../status.ts";
import { mastersGroup, rulesIn } from "./authorizer.ts";
import { matchesPath, matchesResource, type PolicyRule } from "./policy-rule.ts";

const group = "rbac.authorization.k8s.io";

/** Nobody grants what they do not have, unless they are explicitly allowed to. */
export function requireNoEscalation(
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): void {
  const { resource } = request;
  if (resource.group !== group || request.request.user.groups.includes(mastersGroup)) return;
  switch (resource.resource) {
    case "roles":
    case "clusterroles":
      if (!isSame("rules", object, old) && !may(context, request, "escalate", resource.resource)) {
        requireHeld(context, request, object, rulesIn(object));
      }
      return;
    case "rolebindings":
    case "clusterrolebindings": {
      const { kind, name } = object["roleRef"] as { readonly kind: string; readonly name: string };
      const roles = kind === "ClusterRole" ? "clusterroles" : "roles";
      const isUnchanged = isSame("roleRef", object, old) && isSame("subjects", object, old);
      if (isUnchanged || may(context, request, "bind", roles, name)) return;
      const { namespace } = request.path;
      const rules = context.authorizer.rulesOfRole({ kind, name }, namespace);
      if (rules === undefined) {
        throw forbiddenStatus(
          resource,
          object.metadata.name ?? "",
          `${roles}.${group} "${name}" not found`,
        );
      }
      requireHeld(context, request, object, rules);
    }
  }
}

function isSame(
  field: string,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): boolean {
  if (old === undefined) return false;
  return equalValues((object[field] ?? null) as JsonValue, (old[field] ?? null) as JsonValue);
}

function may(
  { authorizer }: ApiContext,
  { request, path }: ResourceRequest,
  verb: string,
  resource: string,
  name = path.name,
): boolean {
  const { namespace } = path;
  return authorizer.authorize(request.user, {
    kind: "resource",
    verb,
    group,
    resource,
    subresource: "",
    namespace,
    name,
  }).allowed;
}

function requireHeld(
  { authorizer }: ApiContext,
  { request, path, resource }: ResourceRequest,
  object: KubernetesObject,
  wanted: readonly PolicyRule[],
): void {
  const held = authorizer.rulesOf(request.user, path.namespace);
  const missing = wanted
    .flatMap(singleRules)
    .filter((rule) => !held.some((owned) => covers(owned, rule)));
  if (missing.length === 0) return;
  const { name, groups } = request.user;
  const who = `user ${JSON.stringify(name)} (groups=[${groups.map((each) => JSON.stringify(each)).join(" ")}])`;
  const lines = joinVerbs(missing).map((line) => `\n${line}`);
  throw forbiddenStatus(
    resource,
    object.metadata.name ?? "",
    `${who} is attempting to grant RBAC permissions not currently held:${lines.join("")}`,
  );
}

/** A rule as many that each allow one thing. */
function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames ?? [];
  return rule.verbs.flatMap((verb) => [
    ...(rule.nonResourceURLs ?? []).map((path) => ({ verbs: [verb], nonResourceURLs: [path] })),
    ...(rule.apiGroups ?? []).flatMap((apiGroup) =>
      (rule.resources ?? []).flatMap((resource) =>
        (names.length === 0 ? [undefined] : names).map((name) => ({
          verbs: [verb],
          apiGroups: [apiGroup],
          resources: [resource],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
  ]);
}

function covers(owned: PolicyRule, single: PolicyRule): boolean {
  const has = (values: readonly string[] | undefined, [value = ""]: readonly string[]): boolean =>
    values?.includes("*") === true || values?.includes(value) === true;
  if (!has(owned.verbs, single.verbs)) return false;
  const [path] = single.nonResourceURLs ?? [];
  if (path !== undefined) {
    return (owned.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, path));
  }
  const [resource = "", subresource = ""] = (single.resources?.[0] ?? "").split("/");
  const [name] = single.resourceNames ?? [];
  const names = owned.resourceNames ?? [];
  return (
    has(owned.apiGroups, single.apiGroups ?? []) &&
    matchesResource(owned.resources ?? [], { resource, subresource }) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

/** Rules that differ in their verb only are shown as one. */
function joinVerbs(rules: readonly PolicyRule[]): readonly string[] {
  const verbs = new Map<string, string[]>();
  for (const {
    verbs: [verb = ""] = [],
    apiGroups,
    resources,
    resourceNames,
    nonResourceURLs,
  } of rules) {
    const parts = [
      part("APIGroups", apiGroups),
      part("Resources", resources),
      part("ResourceNames", resourceNames),
      part("NonResourceURLs", nonResourceURLs),
    ].filter((text) => text !== "");
    const key = parts.join(", ");
    verbs.set(key, [...(verbs.get(key) ?? []), verb]);
  }
  return [...verbs].map(([key, list]) => `{${key}, ${part("Verbs", list)}}`).sort();
}

function part(name: string, values: readonly string[] | undefined): string {
  if (values === undefined) return "";
  return `${name}:[${values.map((each) => JSON.stringify(each)).join(" ")}]`;
}
