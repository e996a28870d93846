import { builtInScopes } from "./built-in-scopes.ts";
import { isJsonObject } from "../json/index.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

export type ObjectScope = "namespaced" | "cluster";

/** Tells the scope of a kind, or undefined for a kind that is not known. */
export type ScopeLookup = (group: string, kind: string) => ObjectScope | undefined;

/** A kind as discovery lists it. */
export interface KnownScope {
  readonly group: string;
  readonly kind: string;
  readonly scope: ObjectScope;
}

/**
 * Makes a lookup of what is known best: what the cluster serves, then the CRDs of the input, which
 * may not be there yet, then the kinds that every cluster has.
 */
export function scopeLookup({
  discovered = [],
  objects = [],
}: {
  readonly discovered?: Iterable<KnownScope>;
  readonly objects?: Iterable<KubernetesObject>;
}): ScopeLookup {
  const scopes = new Map<string, ObjectScope>();
  for (const object of objects) {
    const known = scopeOfDefinition(object);
    if (known !== undefined) scopes.set(keyOf(known.group, known.kind), known.scope);
  }
  for (const { group, kind, scope } of discovered) scopes.set(keyOf(group, kind), scope);
  return (group, kind) => scopes.get(keyOf(group, kind)) ?? builtInScopes.get(keyOf(group, kind));
}

function keyOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function scopeOfDefinition(object: KubernetesObject): KnownScope | undefined {
  if (object.kind !== "CustomResourceDefinition" || !isJsonObject(object["spec"])) return undefined;
  if (!object.apiVersion.startsWith("apiextensions.k8s.io/")) return undefined;
  const { group, names, scope } = object["spec"];
  const kind = isJsonObject(names) ? names["kind"] : undefined;
  if (typeof group !== "string" || typeof kind !== "string") return undefined;
  if (scope !== "Namespaced" && scope !== "Cluster") return undefined;
  return { group, kind, scope: scope === "Cluster" ? "cluster" : "namespaced" };
}
