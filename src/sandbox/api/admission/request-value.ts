import type { JsonObject } from "../../../json/index.ts";
import { apiVersionOf } from "../../../objects/index.ts";
import type { User } from "../request.ts";
import type { ServedResource } from "../served-resource.ts";
import { requestName } from "./match.ts";
import type { VersionedAttributes } from "./versioned.ts";

/** A request as expressions and webhooks see it, without its objects. */
export function requestValue(attributes: VersionedAttributes): JsonObject {
  const { request, matched, operation, isDryRun } = attributes;
  const { path, resource } = request;
  const part = path.subresource;
  const isNamespace = resource.storageKey === "/namespaces";
  const name = requestName(attributes);
  const namespace = isNamespace ? name : path.namespace;
  const partOf = (field: string): JsonObject => (part === "" ? {} : { [field]: part });
  return {
    kind: kindOf(attributes, matched),
    resource: resourceOf(matched),
    ...partOf("subResource"),
    requestKind: kindOf(attributes, resource),
    requestResource: resourceOf(resource),
    ...partOf("requestSubResource"),
    name,
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userValue(request.request.user),
    dryRun: isDryRun,
    options: optionsOf(attributes),
  };
}

/** Parts of an object may be of a kind of their own. */
function kindOf(
  { object, request }: VersionedAttributes,
  { group, version, kind }: ServedResource,
): JsonObject {
  if (object === undefined || object.kind === kind || request.path.subresource === "")
    return { group, version, kind };
  const [version_ = "", group_ = ""] = object.apiVersion.split("/").toReversed();
  return { group: group_, version: version_, kind: object.kind };
}

function resourceOf({ group, version, resource }: ServedResource): JsonObject {
  return { group, version, resource };
}

function userValue({ name, uid = "", groups, extra = {} }: User): JsonObject {
  const shown = Object.entries(extra).map(([key, values]) => [key, [...values]]);
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    groups: [...groups],
    ...(shown.length === 0 ? {} : { extra: Object.fromEntries(shown) as JsonObject }),
  };
}

const optionKinds = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
  CONNECT: "PodExecOptions",
};

function optionsOf({ operation, request, isDryRun }: VersionedAttributes): JsonObject {
  const { query, method } = request.request;
  const manager = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const kind = method === "PATCH" ? "PatchOptions" : optionKinds[operation];
  return {
    kind,
    apiVersion: apiVersionOf({ group: "meta.k8s.io", version: "v1" }),
    ...(isDryRun ? { dryRun: ["All"] } : {}),
    ...(manager === "" ? {} : { fieldManager: manager }),
    ...(validation === "" ? {} : { fieldValidation: validation }),
  };
}
