import type { KubernetesObject } from "../../objects/index.ts";
import { type Blueprint, readBlueprint } from "../model/blueprint.ts";
import { textAt } from "../model/read-fields.ts";
import { accountAnnotation } from "../stamping/stamp-labels.ts";
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

/**
 * Who wrote a stamped object, as far as that can be believed: the account may have changed since, or the
 * blueprint that named it. What an object says may have been written by anybody who may change it, who
 * must not choose an account of another namespace by that: only blueprints do.
 */
export function writerOf(
  { metadata }: KubernetesObject,
  owner: KubernetesObject,
  blueprints: readonly KubernetesObject[],
): ServiceAccount | undefined {
  const [namespace, name] = metadata.annotations?.[accountAnnotation]?.split("/") ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  const isNamed = (object: KubernetesObject): boolean => {
    const account = readBlueprint(object)?.serviceAccount;
    return account?.name === name && account.namespace === namespace;
  };
  const isBelieved = namespace === owner.metadata.namespace || blueprints.some(isNamed);
  return isBelieved ? { namespace, name } : undefined;
}
