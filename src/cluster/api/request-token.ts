import { stringifyJson } from "../../objects/index.ts";
import { sendForJson, targetOf } from "./api-context.ts";
import type { ApiContext } from "./api-context.ts";
import type { RequestOptions } from "./read.ts";
import { resourcePath } from "./resource-path.ts";

export interface ServiceAccountReference {
  readonly namespace: string;
  readonly name: string;
}

export interface TokenOptions extends RequestOptions {
  readonly expirationSeconds?: number | undefined;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

interface TokenRequestObject {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** A token with which the holder is the service account, for a while. */
export async function requestToken(
  context: ApiContext,
  { namespace, name }: ServiceAccountReference,
  { expirationSeconds, signal, timeoutMs }: TokenOptions = {},
): Promise<IssuedToken> {
  const reference = { apiVersion: "v1", kind: "ServiceAccount", namespace, name };
  const target = await targetOf(context, "create", reference, "token");
  const { value } = await sendForJson<TokenRequestObject>(context, target.purpose, {
    method: "POST",
    path: resourcePath(target.resource, { namespace, name, subresource: "token" }),
    headers: { "content-type": "application/json" },
    body: stringifyJson({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: expirationSeconds === undefined ? {} : { expirationSeconds },
    }),
    signal,
    timeoutMs,
  });
  const { token, expirationTimestamp } = value.status;
  return { token, expiresAt: Date.parse(expirationTimestamp) };
}
