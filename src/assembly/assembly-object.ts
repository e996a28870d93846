import { formatPosition } from "../diagnostics/index.ts";
import { groupOf, type ScopeLookup } from "../objects/index.ts";
import type { GivenObject } from "./directive.ts";
import { coreGroup, formatIdentifier, type ObjectIdentifier } from "./identifier.ts";
import { type PlacedPodTemplate, podTemplatesOf } from "./pod-templates.ts";

/** A given object with the names by which identifiers find it. */
export interface AssemblyObject {
  readonly given: GivenObject;
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  /** Where it will be; empty for an object that belongs to no namespace. */
  readonly namespace: string;
  /** All namespaces that an identifier may give for it, in lower case, `namespace` first. */
  readonly namespaces: readonly string[];
  readonly podTemplates: readonly PlacedPodTemplate[];
}

const defaultNamespace = "default";

export function assemblyObject(
  given: GivenObject,
  scopeOf: ScopeLookup,
  effectiveNamespace: string,
): AssemblyObject {
  const { apiVersion, kind, metadata } = given.object;
  const group = groupOf(apiVersion);
  const scope = scopeOf(group, kind);
  const written = metadata.namespace ?? "";
  const namespace = scope === "cluster" ? "" : written === "" ? effectiveNamespace : written;
  return {
    given,
    name: metadata.name ?? metadata.generateName ?? "",
    kind,
    group,
    namespace,
    namespaces:
      scope !== "cluster" && written !== ""
        ? [namespace.toLowerCase()]
        : namespacesOfNone(namespace, scope),
    podTemplates: podTemplatesOf(given.object),
  };
}

/** What an object that names no namespace, or belongs to none, is found by: Tilt calls all of these `default`. */
function namespacesOfNone(effective: string, scope: ReturnType<ScopeLookup>): readonly string[] {
  const namespaces = new Set([effective.toLowerCase(), defaultNamespace]);
  // A kind that nobody knows may belong to no namespace.
  if (scope === undefined) namespaces.add("");
  return [...namespaces];
}

/** The identifier with all four parts. */
export function fullIdentifier(object: AssemblyObject): string {
  return formatIdentifier(identifierOf(object));
}

/** The full identifier of an object that was given. */
export function fullIdentifierOf(
  given: GivenObject,
  scopeOf: ScopeLookup,
  effectiveNamespace: string,
): string {
  return fullIdentifier(assemblyObject(given, scopeOf, effectiveNamespace));
}

export function identifierOf({ name, kind, namespace, group }: AssemblyObject): ObjectIdentifier & {
  readonly kind: string;
  readonly namespace: string;
  readonly group: string;
} {
  return { name, kind, namespace, group: group === "" ? coreGroup : group };
}

/** The full identifier with the place, for lists of candidates. */
export function describeObject(object: AssemblyObject): string {
  return `${fullIdentifier(object)} (${formatPosition(object.given.sourceOf())})`;
}
