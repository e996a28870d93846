import type { KubernetesObject } from "../../objects/index.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { textAt } from "../model/read-fields.ts";
import type { ServiceAccount } from "./realization.ts";

/** Whose rights objects are stamped with: the owner's choice, else the blueprint's, else the default. */
export function serviceAccountOf(
  owner: KubernetesObject,
  blueprint: Pick<Blueprint, "serviceAccount"> | undefined,
): ServiceAccount {
  const namespace = owner.metadata.namespace ?? "";
  const own = textAt(owner, "spec", "serviceAccountName");
  if (own !== undefined) return { namespace, name: own };
  const { name = "default", namespace: other = namespace } = blueprint?.serviceAccount ?? {};
  return { namespace: other, name };
}
