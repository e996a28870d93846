import { randomUUID } from "node:crypto";
import { type JsonObject, type JsonValue, stringifyJson } from "../../../../json/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { badRequest, internalError, StatusError } from "../../status.ts";
import { requestValue } from "../request-value.ts";
import type { VersionedAttributes } from "../versioned.ts";
import { rejection } from "./rejection.ts";
import { postReview } from "./post-review.ts";
import { type AdmissionAnswer, readReview } from "./read-review.ts";
import type { ConfiguredWebhook } from "./webhook.ts";

/** What a webhook allowed; undefined where it could not be asked and that is to be ignored. */
export function callWebhook(
  context: ApiContext,
  configured: ConfiguredWebhook,
  attributes: VersionedAttributes,
  options: { readonly isMutating: boolean; readonly run: number },
): AdmissionAnswer | undefined {
  const { webhook, id } = configured;
  const { sideEffects = "", name } = webhook;
  if (attributes.isDryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const apiVersion = reviewVersion(webhook.admissionReviewVersions);
  const uid = randomUUID();
  const request = reviewRequest(attributes);
  // The same question is asked again in the next round; only times may differ.
  const question = `${id} ${options.run} ${stringifyJson(request).replaceAll(anyTime, "")}`;
  const outcome = context.rounds.answerTo(question, async () => {
    const review = { kind: "AdmissionReview", apiVersion, request: { uid, ...request } };
    const posted = await postReview(context, webhook, stringifyJson(review));
    if (posted.kind === "failure")
      return { kind: "failure", why: `failed to call webhook: ${posted.why}` };
    const read = readReview(posted.text, { uid, apiVersion, isMutating: options.isMutating });
    if (read.kind === "answer") return read;
    return { kind: "failure", why: `received invalid webhook response: ${read.why}` };
  }) as ReviewOutcome;
  if (outcome.kind === "failure") {
    if (webhook.failurePolicy === "Ignore") return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${outcome.why}`);
  }
  for (const text of outcome.warnings) attributes.request.warn?.(text);
  if (!outcome.allowed) throw rejection(name, outcome.status);
  return outcome;
}

type ReviewOutcome = AdmissionAnswer | { readonly kind: "failure"; readonly why: string };

const anyTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function reviewRequest(attributes: VersionedAttributes): JsonObject {
  const { object, old } = attributes;
  return {
    ...requestValue(attributes),
    object: (object ?? null) as JsonValue,
    oldObject: (old ?? null) as JsonValue,
  };
}

/** The first version that both know. */
function reviewVersion(versions: readonly string[] = ["v1"]): string {
  const known = versions.find((version) => version === "v1" || version === "v1beta1");
  if (known !== undefined) return `admission.k8s.io/${known}`;
  throw new StatusError(
    500,
    "InternalError",
    "the webhook accepts no known AdmissionReview version",
  );
}
