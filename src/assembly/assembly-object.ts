import { formatPosition, type SourceRange } from "../diagnostics/index.ts";
import { groupOf, type ScopeLookup } from "../objects/index.ts";
import type { GivenObject } from "./directive.ts";
import { coreGroup, formatIdentifier, type ObjectIdentifier } from "./identifier.ts";

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
  const written = scope === "cluster" ? "" : (metadata.namespace ?? "");
  const namespace = scope === "cluster" ? "" : written === "" ? effectiveNamespace : written;
  const others = written !== "" || scope === "cluster" ? [] : [defaultNamespace];
  // A kind that nobody knows may belong to no namespace.
  if (scope === undefined && written === "") others.push("");
  return {
    given,
    name: metadata.name ?? metadata.generateName ?? "",
    kind,
    group,
    namespace,
    namespaces: [...new Set([namespace, ...others].map((each) => each.toLowerCase()))],
  };
}

/** The identifier with all four parts. */
export function fullIdentifier(object: AssemblyObject): string {
  return formatIdentifier(identifierOf(object));
}

export function identifierOf({ name, kind, namespace, group }: AssemblyObject): ObjectIdentifier & {
  readonly kind: string;
  readonly namespace: string;
  readonly group: string;
} {
  return { name, kind, namespace, group: group === "" ? coreGroup : group };
}

/** Where an object was handed over, or else where it is written. */
export function sourceOfObject({ given }: AssemblyObject): SourceRange {
  return given.givenAt ?? given.sourceOf();
}

/** The full identifier with the place, for lists of candidates. */
export function describeObject(object: AssemblyObject): string {
  return `${fullIdentifier(object)} (${formatPosition(object.given.sourceOf())})`;
}
