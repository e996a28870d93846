import { isJsonObject, stringifyJson } from "../../json/index.ts";
import { checkedPart } from "./check-answer.ts";
import { describePurpose } from "./describe-status.ts";
import { unexpectedValue } from "./unexpected-answer.ts";
import { type ClientContext, sendForJson, targetOf } from "./client-context.ts";
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

/** A token with which the holder is the service account, for a while. */
export async function requestToken(
  context: ClientContext,
  { namespace, name }: ServiceAccountReference,
  { expirationSeconds, signal, timeoutMs }: TokenOptions = {},
): Promise<IssuedToken> {
  const reference = { apiVersion: "v1", kind: "ServiceAccount", namespace, name };
  const target = await targetOf(context, "create", reference, "token");
  const { value } = await sendForJson(context, target.purpose, {
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
  const { status } = checkedPart(value, target.purpose);
  const { token, expirationTimestamp } = isJsonObject(status) ? status : {};
  if (typeof token !== "string" || typeof expirationTimestamp !== "string")
    throw unexpectedValue(describePurpose(target.purpose), value, "a token");
  return { token, expiresAt: Date.parse(expirationTimestamp) };
}
