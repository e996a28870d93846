import type { JsonObject, KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { type AccessAttributes, authorize } from "../authorize.ts";
import type { User } from "../request.ts";
import { invalid, type StatusError } from "../status.ts";
import { at, listAt, textAt } from "../tables/read-fields.ts";

/** May the one who asks do something? */
export function reviewOwnAccess(
  _context: ApiContext,
  { request }: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  return decide(attributesOf(request.user, object));
}

/** May somebody do something? */
export function reviewAccess(
  _context: ApiContext,
  _request: ResourceRequest,
  object: KubernetesObject,
): JsonObject {
  const user = {
    name: textAt(object, "spec.user"),
    uid: textAt(object, "spec.uid"),
    groups: listAt(object, "spec.groups").map(String),
  };
  if (user.name === "" && user.groups.length === 0) {
    throw unanswerable("spec.user", '""', "at least one of user or group must be specified");
  }
  return decide(attributesOf(user, object));
}

/** What may the one who asks do in a namespace? */
export function reviewOwnRules(): JsonObject {
  return {
    status: {
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    },
  };
}

function decide(attributes: AccessAttributes): JsonObject {
  const { allowed, reason } = authorize(attributes);
  return { status: { allowed, ...(reason === undefined ? {} : { reason }) } };
}

function attributesOf(user: User, object: KubernetesObject): AccessAttributes {
  const nonResource = at(object, "spec.nonResourceAttributes");
  if (nonResource !== undefined) {
    return { user, verb: textAt(nonResource, "verb"), path: textAt(nonResource, "path") };
  }
  const resource = at(object, "spec.resourceAttributes");
  if (resource === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    throw unanswerable("spec.resourceAttributes", "null", why);
  }
  return {
    user,
    verb: textAt(resource, "verb"),
    group: textAt(resource, "group"),
    version: textAt(resource, "version"),
    resource: textAt(resource, "resource"),
    subresource: textAt(resource, "subresource"),
    namespace: textAt(resource, "namespace"),
    name: textAt(resource, "name"),
  };
}

function unanswerable(field: string, value: string, why: string): StatusError {
  const detail = `Invalid value: ${value}: ${why}`;
  return invalid({ group: "authorization.k8s.io", kind: "" }, "", [
    { type: "FieldValueInvalid", field, detail },
  ]);
}
