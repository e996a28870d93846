import type { ApiContext } from "../api-context.ts";
import type { ApiRequest, User } from "../request.ts";
import { badRequest } from "../status.ts";
import type { AccessTarget } from "./policy-rule.ts";
import { accessDenied } from "./require-access.ts";

/** Whom a request wants to be taken for. */
export interface ImpersonatedUser {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const everyone = "system:authenticated";
const accountPrefix = "system:serviceaccount:";

/** The user that a request acts as: its own, or the one it asks for if it may. */
export function actingUser(context: ApiContext, request: ApiRequest): User {
  const { impersonation, user } = request;
  if (impersonation === undefined) return user;
  if (impersonation.user === "") {
    throw badRequest("requested impersonation without impersonating a user");
  }
  for (const target of wantedTargets(impersonation)) {
    const { allowed, reason } = context.authorizer.authorize(user, target);
    if (!allowed) throw accessDenied(user, target, reason);
  }
  const { user: name, groups, uid, extra } = impersonation;
  return {
    name,
    ...(uid === "" ? {} : { uid }),
    groups: withEveryone(name, groups.length === 0 ? accountGroups(name) : groups),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function wantedTargets({ user, groups, uid, extra }: ImpersonatedUser): readonly AccessTarget[] {
  const account = accountOf(user);
  const authentication = "authentication.k8s.io";
  return [
    account === undefined
      ? impersonate("", "users", user)
      : { ...impersonate("", "serviceaccounts", account.name), namespace: account.namespace },
    ...groups.map((group) => impersonate("", "groups", group)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({
        ...impersonate(authentication, "userextras", value),
        subresource: key,
      })),
    ),
    ...(uid === "" ? [] : [impersonate(authentication, "uids", uid)]),
  ];
}

function impersonate(
  group: string,
  resource: string,
  name: string,
): AccessTarget & { readonly kind: "resource" } {
  return {
    kind: "resource",
    verb: "impersonate",
    group,
    resource,
    subresource: "",
    namespace: "",
    name,
  };
}

function accountOf(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(accountPrefix)) return undefined;
  const [namespace, name, ...rest] = user.slice(accountPrefix.length).split(":");
  return namespace === undefined || name === undefined || rest.length > 0
    ? undefined
    : { namespace, name };
}

function accountGroups(user: string): readonly string[] {
  const account = accountOf(user);
  return account === undefined
    ? []
    : ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
}

function withEveryone(user: string, groups: readonly string[]): readonly string[] {
  if (user === "system:anonymous") {
    return groups.includes("system:unauthenticated")
      ? groups
      : [...groups, "system:unauthenticated"];
  }
  const isKnown = groups.includes(everyone) || groups.includes("system:unauthenticated");
  return isKnown ? groups : [...groups, everyone];
}
