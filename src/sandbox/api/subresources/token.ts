import { isJsonObject } from "../../../json/index.ts";
import { type ApiContext, isDryRun, type ResourceRequest } from "../api-context.ts";
import { timestamp } from "../../clock.ts";
import { decodeBody } from "../decode-body.ts";
import type { CompleteResponse } from "../request.ts";
import { badRequest, invalidStatus, notFoundStatus } from "../status.ts";
import { at, listAt, numberAt, recordAt, textIn } from "../tables/read-fields.ts";
import { answer } from "./answers.ts";

const defaultSeconds = 3600;
const fewestSeconds = 600;
const mostSeconds = 2 ** 32;

/** Issues a token with which the holder is the service account. */
export function issueToken(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const account = context.store.get(resource.storageKey, path.namespace, path.name)?.object;
  if (account === undefined) throw notFoundStatus(resource, path.name);
  const body = decodeBody(request.request.body, request.request.contentType);
  if (!isJsonObject(body)) throw badRequest("the token request is no object");
  const seconds =
    at(body, "spec.expirationSeconds") === undefined
      ? defaultSeconds
      : Number(numberAt(body, "spec.expirationSeconds"));
  requireSeconds(seconds);
  const audiences = listAt(body, "spec.audiences").map(String);
  const bound = recordAt(body, "spec.boundObjectRef");
  const now = context.clock.now();
  const expires = now + seconds * 1000;
  const token = context.identities.issue({
    namespace: path.namespace,
    name: path.name,
    uid: account.metadata.uid ?? "",
    audiences: audiences.length === 0 ? [defaultAudience] : audiences,
    expires,
    ...(textIn(bound, "name") === ""
      ? {}
      : {
          bound: {
            kind: textIn(bound, "kind"),
            name: textIn(bound, "name"),
            uid: textIn(bound, "uid"),
          },
        }),
  });
  return answer(201, {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {
      name: path.name,
      namespace: path.namespace,
      creationTimestamp: timestamp(now),
    },
    spec: {
      audiences: audiences.length === 0 ? [defaultAudience] : audiences,
      expirationSeconds: seconds,
      boundObjectRef: Object.keys(bound).length === 0 ? null : bound,
    },
    status: {
      token: isDryRun(request.request) ? "" : token,
      expirationTimestamp: timestamp(expires),
    },
  });
}

const defaultAudience = "https://kubernetes.default.svc";

function requireSeconds(seconds: number): void {
  if (seconds >= fewestSeconds && seconds <= mostSeconds) return;
  const why =
    seconds < fewestSeconds
      ? "may not specify a duration less than 10 minutes"
      : "may not specify a duration larger than 2^32 seconds";
  throw invalidStatus({ group: "authentication.k8s.io", kind: "TokenRequest" }, "", [
    {
      type: "FieldValueInvalid",
      field: "spec.expirationSeconds",
      detail: `Invalid value: ${seconds}: ${why}`,
    },
  ]);
}
