import { groupKind } from "../inventory/index.ts";
import { isJsonObject, type JsonValue } from "../json/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import { isKept } from "./keep-annotations.ts";

/** What would take something along that stays, if it were deleted. */
export interface InUse {
  /** Names of namespaces. */
  readonly namespaces: ReadonlySet<string>;
  /** Custom kinds, as `group/kind`. */
  readonly kinds: ReadonlySet<string>;
}

/** Reasons of what stays for the sake of others; that is no refusal. */
export const inUseReasons = ["NamespaceInUse", "DefinitionInUse"] as const;

/** What objects that stay are in, and are defined by; the inventories of all are always among them. */
export function neededBy(
  staying: readonly ObjectIdentity[],
  namespaces: readonly string[] = [],
): InUse {
  return {
    namespaces: new Set([...staying.map(({ namespace }) => namespace), ...namespaces]),
    kinds: new Set([
      ...staying.map(({ group, kind }) => `${group}/${kind}`),
      `kpt.dev/${groupKind}`,
    ]),
  };
}

/** Those of the leaving objects that ask to be kept. */
export function keptAmong(
  leaving: readonly ObjectIdentity[],
  live: ReadonlyMap<string, KubernetesObject>,
): readonly ObjectIdentity[] {
  return leaving.filter((identity) => {
    const object = live.get(identityKey(identity));
    return object !== undefined && isKept(object);
  });
}

/** Why an object cannot go, if something that stays would go with it. */
export function inUseReason(
  { group, kind, name }: ObjectIdentity,
  live: KubernetesObject,
  { namespaces, kinds }: InUse,
): (typeof inUseReasons)[number] | undefined {
  if (group === "" && kind === "Namespace" && namespaces.has(name)) return "NamespaceInUse";
  const defined = definedKind(live);
  return defined !== undefined && kinds.has(defined) ? "DefinitionInUse" : undefined;
}

/** The kind that a CustomResourceDefinition defines, as `group/kind`. */
export function definedKind(object: KubernetesObject): string | undefined {
  if (object.kind !== "CustomResourceDefinition") return undefined;
  const spec = object["spec"] as JsonValue | undefined;
  if (!isJsonObject(spec) || !isJsonObject(spec["names"])) return undefined;
  const { group, names } = spec;
  const { kind } = names;
  return typeof group === "string" && typeof kind === "string" ? `${group}/${kind}` : undefined;
}
