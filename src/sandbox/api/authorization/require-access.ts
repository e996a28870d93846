import type { ApiContext } from "../api-context.ts";
import type { ApiRequest, User } from "../request.ts";
import { parseResourcePath } from "../request-path.ts";
import { StatusError, forbiddenStatus } from "../status.ts";
import type { AccessTarget } from "./policy-rule.ts";

/** Refuses a request that its user may not make. */
export function requireAccess({ authorizer }: ApiContext, request: ApiRequest): void {
  const target = targetOf(request);
  const { allowed, reason } = authorizer.authorize(request.user, target);
  if (!allowed) throw accessDenied(request.user, target, reason);
}

export function accessDenied(user: User, target: AccessTarget, reason: string): StatusError {
  const why = `${denial(user, target)}${reason === "" ? "" : `: ${reason}`}`;
  if (target.kind === "resource") return forbiddenStatus(target, target.name, why);
  return new StatusError(403, "Forbidden", `forbidden: ${why}`, {});
}

function denial(user: User, target: AccessTarget): string {
  const cannot = `User ${JSON.stringify(user.name)} cannot ${target.verb}`;
  if (target.kind === "path") return `${cannot} path ${JSON.stringify(target.path)}`;
  const { group, resource, subresource, namespace } = target;
  const part = subresource === "" ? resource : `${resource}/${subresource}`;
  const place =
    namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${cannot} resource ${JSON.stringify(part)} in API group ${JSON.stringify(group)} ${place}`;
}

const oneVerbs: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** What a request asks for, in the words of roles. */
function targetOf({ method, path, query }: ApiRequest): AccessTarget {
  const parsed = parseResourcePath(path);
  if (parsed === undefined) return { kind: "path", verb: method.toLowerCase(), path };
  const { group, resource, subresource } = parsed;
  const verb = verbOf(method, parsed.name, query);
  const name = parsed.name === "" && verb !== "create" ? selectedName(query) : parsed.name;
  // A namespace lies in itself, so that a role in it can be about it.
  const namespace = group === "" && resource === "namespaces" ? parsed.name : parsed.namespace;
  return { kind: "resource", verb, group, resource, subresource, namespace, name };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = oneVerbs[method] ?? method.toLowerCase();
  const watch = query.get("watch");
  if (verb === "get" && (watch === "true" || watch === "1")) return "watch";
  if (name !== "") return verb;
  if (verb === "get") return "list";
  return verb === "delete" ? "deletecollection" : verb;
}

/** Who selects one object by its name needs to be allowed that name only. */
function selectedName(query: URLSearchParams): string {
  return /^metadata\.name==?([^=!,]+)$/.exec(query.get("fieldSelector") ?? "")?.[1] ?? "";
}
