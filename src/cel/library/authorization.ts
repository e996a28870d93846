import type { Library } from "../overload.ts";
import { OpaqueValue } from "../values.ts";

/** What an expression asks: may the user do this? Built up by one method after the other. */
export interface AccessCheck {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb?: string;
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

/** Decides on a check; the reason is empty when there is nothing to say. */
export type AccessDecider = (check: AccessCheck) => {
  readonly allowed: boolean;
  readonly reason: string;
};

interface Question {
  readonly decide: AccessDecider;
  readonly check: AccessCheck;
}

const prefix = "kubernetes.authorization.";

/** What `authorizer` is, or with a resource what `authorizer.requestResource` is. */
export function authorizerValue(decide: AccessDecider, check: AccessCheck = {}): OpaqueValue {
  return question(check.resource === undefined ? "Authorizer" : "ResourceCheck", { decide, check });
}

/** Questions about the rights of the user. */
export const authorizationLibrary: Library = {
  [`[${prefix}Authorizer].path(string) -> ${prefix}PathCheck`]: (
    value: OpaqueValue,
    path: string,
  ) => extended("PathCheck", value, { path }),
  [`[${prefix}Authorizer].serviceAccount(string, string) -> ${prefix}Authorizer`]: (
    value: OpaqueValue,
    namespace: string,
    name: string,
  ) => extended("Authorizer", value, { serviceAccount: { namespace, name } }),
  [`[${prefix}Authorizer].group(string) -> ${prefix}GroupCheck`]: (
    value: OpaqueValue,
    group: string,
  ) => extended("GroupCheck", value, { group }),
  [`[${prefix}GroupCheck].resource(string) -> ${prefix}ResourceCheck`]: (
    value: OpaqueValue,
    resource: string,
  ) => extended("ResourceCheck", value, { resource }),
  [`[${prefix}ResourceCheck].subresource(string) -> ${prefix}ResourceCheck`]: (
    value: OpaqueValue,
    subresource: string,
  ) => extended("ResourceCheck", value, { subresource }),
  [`[${prefix}ResourceCheck].namespace(string) -> ${prefix}ResourceCheck`]: (
    value: OpaqueValue,
    namespace: string,
  ) => extended("ResourceCheck", value, { namespace }),
  [`[${prefix}ResourceCheck].name(string) -> ${prefix}ResourceCheck`]: (
    value: OpaqueValue,
    name: string,
  ) => extended("ResourceCheck", value, { name }),
  [`[${prefix}PathCheck].check(string) -> ${prefix}Decision`]: decision,
  [`[${prefix}ResourceCheck].check(string) -> ${prefix}Decision`]: decision,
  [`[${prefix}Decision].allowed() -> bool`]: (value: OpaqueValue) => decided(value).allowed,
  [`[${prefix}Decision].reason() -> string`]: (value: OpaqueValue) => decided(value).reason,
  [`[${prefix}Decision].errored() -> bool`]: () => false,
  [`[${prefix}Decision].error() -> string`]: () => "",
};

function extended(type: string, value: OpaqueValue, more: AccessCheck): OpaqueValue {
  const { decide, check } = value.content as Question;
  return question(type, { decide, check: { ...check, ...more } });
}

function question(type: string, content: Question): OpaqueValue {
  return new OpaqueValue(`${prefix}${type}`, JSON.stringify(content.check), content);
}

function decision(value: OpaqueValue, verb: string): OpaqueValue {
  return extended("Decision", value, { verb });
}

function decided(value: OpaqueValue): ReturnType<AccessDecider> {
  const { decide, check } = value.content as Question;
  return decide(check);
}
