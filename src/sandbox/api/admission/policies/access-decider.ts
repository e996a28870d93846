import type { AccessCheck } from "../../../../cel/index.ts";
import type { ApiContext } from "../../api-context.ts";
import type { User } from "../../request.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { requestName } from "../match.ts";

/** Answers what expressions ask about rights: those of the user, or of an account they name. */
export function accessDecider(
  { authorizer }: ApiContext,
  user: User,
): (check: AccessCheck) => { readonly allowed: boolean; readonly reason: string } {
  return (check) => {
    const { serviceAccount, path, verb = "" } = check;
    const who = serviceAccount === undefined ? user : accountUser(serviceAccount);
    if (path !== undefined) return authorizer.authorize(who, { kind: "path", verb, path });
    const { group = "", resource = "", subresource = "", namespace = "", name = "" } = check;
    return authorizer.authorize(who, {
      kind: "resource",
      verb,
      group,
      resource,
      subresource,
      namespace,
      name,
    });
  };
}

/** The resource of the request itself, as a question that still lacks its verb. */
export function checkOfRequest(attributes: AdmissionAttributes): AccessCheck {
  const { resource, path } = attributes.request;
  return {
    group: resource.group,
    resource: resource.resource,
    subresource: path.subresource,
    namespace: path.namespace,
    name: requestName(attributes),
  };
}

function accountUser(account: { readonly namespace: string; readonly name: string }): User {
  const { namespace, name } = account;
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
      "system:authenticated",
    ],
  };
}
