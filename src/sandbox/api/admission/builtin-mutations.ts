import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { withLimitDefaults } from "./limit-ranges.ts";
import { withPriority } from "./priority.ts";
import { withServiceAccount } from "./service-account.ts";
import { withTolerations } from "./tolerations.ts";

/** What the server itself fills into an object that is about to be created. */
export function builtinMutations(
  context: ApiContext,
  attributes: AdmissionAttributes & { readonly object: KubernetesObject },
): KubernetesObject {
  const { operation, request, object } = attributes;
  const { resource, path } = request;
  if (resource.storageKey !== "/pods" || operation !== "CREATE" || path.subresource !== "") {
    return object;
  }
  const limited = withLimitDefaults(context, object);
  const accountable = withServiceAccount(context, attributes, limited);
  return withTolerations(withPriority(context, attributes, accountable));
}
