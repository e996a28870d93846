import type { JsonObject, JsonValue } from "../../../../json/index.ts";
import { equalValues } from "../../../../json/index.ts";
import type { KubernetesObject } from "../../../../objects/index.ts";
import { decodeObject } from "../../../../schema/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { inVersion } from "../../encode-object.ts";
import { applyJsonPatch, PatchRefused } from "../../json-patch.ts";
import type { ServedResource } from "../../served-resource.ts";
import { internalError } from "../../status.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { isExempt } from "../match.ts";
import type { Reinvocations } from "../reinvocations.ts";
import { callWebhook } from "./call-webhook.ts";
import { webhookAttributes, webhooksOf } from "./webhook.ts";

const table = "admissionregistration.k8s.io/mutatingwebhookconfigurations";

/** The object as mutating webhooks change it, one after the other. */
export function mutateByWebhooks<Subject extends KubernetesObject | undefined>(
  context: ApiContext,
  attributes: AdmissionAttributes & { readonly object: Subject },
  reinvocations: Reinvocations,
): Subject {
  if (context.store.count(table) === 0 || !context.rounds.canAsk || isExempt(attributes)) {
    return attributes.object;
  }
  let { object } = attributes;
  if (object !== undefined) reinvocations.begin(object);
  for (const configured of webhooksOf(context, table)) {
    const seen = webhookAttributes(context, { ...attributes, object }, configured);
    if (seen === undefined || !reinvocations.isDue(configured.id)) continue;
    const answer = callWebhook(context, configured, seen, {
      isMutating: true,
      run: reinvocations.run,
    });
    if (answer?.patch !== undefined) {
      const { name } = configured.webhook;
      if (object === undefined) throw unpatchable(name);
      const before = seen.object ?? object;
      const patched = patch(before, answer.patch, seen.matched);
      if (!isEqual(before, patched)) {
        object = inVersion(patched, attributes.request.resource) as Subject;
        reinvocations.objectChanged();
      }
    }
    if (configured.webhook.reinvocationPolicy === "IfNeeded") {
      reinvocations.mayRunAgain(configured.id);
    }
  }
  if (object !== undefined) reinvocations.end(object);
  return object;
}

function unpatchable(name: string): Error {
  return internalError(
    `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
  );
}

function patch(
  object: KubernetesObject,
  steps: JsonValue,
  { schema }: ServedResource,
): KubernetesObject {
  try {
    const patched = applyJsonPatch(object as unknown as JsonValue, steps) as JsonObject;
    const decoded = schema === undefined ? patched : decodeObject(schema, patched).object;
    return decoded as unknown as KubernetesObject;
  } catch (error) {
    if (error instanceof PatchRefused) throw internalError(error.why);
    throw error;
  }
}

function isEqual(left: KubernetesObject, right: KubernetesObject): boolean {
  return equalValues(left as unknown as JsonValue, right as unknown as JsonValue);
}
