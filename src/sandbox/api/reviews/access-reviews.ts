import type { JsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { AccessTarget, PolicyRule } from "../authorization/policy-rule.ts";
import type { User } from "../request.ts";
import { badRequest } from "../status.ts";
import { at, listAt, textIn } from "../tables/read-fields.ts";

/** May the one who asks do something? */
export function reviewOwnAccess(
  context: ApiContext,
  { request }: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  return decide(context, request.user, targetOf(object));
}

/** May somebody do something? */
export function reviewAccess(
  context: ApiContext,
  _request: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  const user = {
    name: textIn(object, "spec.user"),
    uid: textIn(object, "spec.uid"),
    groups: listAt(object, "spec.groups").map(String),
  };
  return decide(context, user, targetOf(object));
}

/** What may the one who asks do in a namespace? */
export function reviewOwnRules(
  { authorizer }: ApiContext,
  { request }: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  const namespace = textIn(object, "spec.namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const rules = authorizer.rulesOf(request.user, namespace);
  return {
    status: {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs = [] }) => ({
          verbs: [...verbs],
          nonResourceURLs: [...nonResourceURLs],
        })),
      incomplete: false,
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs: [...verbs],
    apiGroups: [...(apiGroups ?? [])],
    resources: [...(resources ?? [])],
    ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
  };
}

function decide({ authorizer }: ApiContext, user: User, target: AccessTarget): JsonObject {
  const { allowed, reason } = authorizer.authorize(user, target);
  return { status: { allowed, ...(reason === "" ? {} : { reason }) } };
}

function targetOf(object: KubernetesObject): AccessTarget {
  const nonResource = at(object, "spec.nonResourceAttributes");
  if (nonResource !== undefined) {
    return { kind: "path", verb: textIn(nonResource, "verb"), path: textIn(nonResource, "path") };
  }
  const resource = at(object, "spec.resourceAttributes");
  return {
    kind: "resource",
    verb: textIn(resource, "verb"),
    group: textIn(resource, "group"),
    resource: textIn(resource, "resource"),
    subresource: textIn(resource, "subresource"),
    namespace: textIn(resource, "namespace"),
    name: textIn(resource, "name"),
  };
}
