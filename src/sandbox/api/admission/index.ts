/**
 * Admission: what a write must pass besides the rules of its kind. First the object is completed and
 * changed, later it is judged as it would be stored. Other objects decide: quotas, limits, policies,
 * webhooks.
 */
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { builtinMutations } from "./builtin-mutations.ts";
import { builtinValidations } from "./builtin-validations.ts";
import { mutateByPolicies } from "./policies/mutate-policies.ts";
import { requirePolicies } from "./policies/validate-policies.ts";
import { chargeQuotas } from "./quota/charge-quotas.ts";
import { Reinvocations } from "./reinvocations.ts";
import { mutateByWebhooks } from "./webhooks/mutate-by-webhooks.ts";
import { requireWebhooks } from "./webhooks/require-webhooks.ts";

export type { AdmissionAttributes } from "./attributes.ts";

/** The object as admission changes it, before its kind completes and validates it. */
export function mutateByAdmission(
  context: ApiContext,
  attributes: ChangingAttributes,
): KubernetesObject {
  const { object } = attributes;
  const isNew = attributes.operation === "CREATE";
  const given = isNew ? withoutServerFields(object) : object;
  const policies = new Reinvocations();
  const webhooks = new Reinvocations();
  const run = (each: KubernetesObject): KubernetesObject => {
    const completed = builtinMutations(context, { ...attributes, object: each });
    const changed = mutateByPolicies(context, { ...attributes, object: completed }, policies);
    return mutateByWebhooks(context, { ...attributes, object: changed }, webhooks);
  };
  let mutated = run(given);
  if (policies.hasChanged || webhooks.hasChanged) {
    policies.repeat();
    webhooks.repeat();
    mutated = run(mutated);
  }
  return isNew ? withServerFields(mutated, object) : mutated;
}

/** Refuses what may not be written. Returns what must be written together with the object. */
export function validateByAdmission(
  context: ApiContext,
  attributes: AdmissionAttributes,
): () => void {
  builtinValidations(context, attributes);
  // A deletion changes no object; the webhooks that change objects are asked nevertheless.
  if (attributes.object === undefined) {
    mutateByWebhooks(context, { ...attributes, object: undefined }, new Reinvocations());
  }
  requirePolicies(context, attributes);
  requireWebhooks(context, attributes);
  return chargeQuotas(context, attributes);
}

type ChangingAttributes = AdmissionAttributes & { readonly object: KubernetesObject };

/** A new object is shown before the server gives it an identity. */
function withoutServerFields(object: KubernetesObject): KubernetesObject {
  const { uid: _uid, creationTimestamp: _time, ...rest } = object.metadata;
  const { name = "", ...unnamed } = rest;
  const prefix = rest.generateName ?? "";
  const isGenerated = prefix !== "" && name.startsWith(prefix);
  return { ...object, metadata: isGenerated ? unnamed : rest };
}

function withServerFields(
  object: KubernetesObject,
  identified: KubernetesObject,
): KubernetesObject {
  const { name = "", uid = "", creationTimestamp = null } = identified.metadata;
  return { ...object, metadata: { ...object.metadata, name, uid, creationTimestamp } };
}
