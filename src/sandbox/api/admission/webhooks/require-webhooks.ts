import type { ApiContext } from "../../api-context.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { isExempt } from "../match.ts";
import { callWebhook } from "./call-webhook.ts";
import { webhookAttributes, webhooksOf } from "./webhook.ts";

const table = "admissionregistration.k8s.io/validatingwebhookconfigurations";

/** Refuses what a validating webhook refuses. */
export function requireWebhooks(context: ApiContext, attributes: AdmissionAttributes): void {
  if (context.store.count(table) === 0 || !context.rounds.canAsk || isExempt(attributes)) return;
  for (const configured of webhooksOf(context, table)) {
    const seen = webhookAttributes(context, attributes, configured);
    if (seen !== undefined) callWebhook(context, configured, seen, { isMutating: false, run: 0 });
  }
}
