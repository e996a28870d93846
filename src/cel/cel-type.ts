/** The types that expressions are checked with. */
export type CelType =
  | { readonly kind: CelScalarKind }
  | { readonly kind: "list"; readonly item: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "optional"; readonly item: CelType }
  | { readonly kind: "object"; readonly name: string; readonly fields: CelFields }
  | { readonly kind: "opaque"; readonly name: string }
  /** A type that a use of a function decides, such as T in `list(T)`. */
  | { readonly kind: "parameter"; readonly name: string };

export type CelScalarKind =
  | "dyn"
  /** What follows a mistake; nothing more is said about it. */
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "type";

/** The fields of an object by the names that expressions use, each made when it is first asked for. */
export interface CelFields {
  readonly get: (name: string) => CelType | undefined;
}

const scalarKinds =
  "dyn error null bool int uint double string bytes timestamp duration type".split(
    " ",
  ) as readonly CelScalarKind[];

const scalars = new Map<string, CelType>(scalarKinds.map((kind) => [kind, { kind }]));

export function scalar(kind: CelScalarKind): CelType {
  return scalars.get(kind) ?? { kind };
}

export const dyn = scalar("dyn");
export const errorType = scalar("error");
export const boolType = scalar("bool");

export function listOf(item: CelType): CelType {
  return { kind: "list", item };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function optionalOf(item: CelType): CelType {
  return { kind: "optional", item };
}

/** A type in the notation of signatures: `list(map(string, T))`, `net.IP`. */
export function readType(text: string): CelType {
  const { type } = readTypeAt(text.replaceAll(" ", ""));
  return type;
}

function readTypeAt(text: string): { readonly type: CelType; readonly rest: string } {
  const name = /^[\w.]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const inner: CelType[] = [];
  if (rest.startsWith("(")) {
    do {
      const read = readTypeAt(rest.slice(1));
      inner.push(read.type);
      rest = read.rest;
    } while (rest.startsWith(","));
    rest = rest.slice(1);
  }
  const [first = dyn, second = dyn] = inner;
  return { type: namedType(name, first, second), rest };
}

function namedType(name: string, first: CelType, second: CelType): CelType {
  if (name === "list") return listOf(first);
  if (name === "map") return mapOf(first, second);
  if (name === "optional") return optionalOf(first);
  const known = scalars.get(name);
  if (known !== undefined) return known;
  return /^[A-Z]$/.test(name) ? { kind: "parameter", name } : { kind: "opaque", name };
}

/** The notation of compile errors. */
export function formatType(type: CelType): string {
  if (type.kind === "list") return `list(${formatType(type.item)})`;
  if (type.kind === "map") return `map(${formatType(type.key)}, ${formatType(type.value)})`;
  if (type.kind === "optional") return `optional_type(${formatType(type.item)})`;
  if (type.kind === "error") return "!error!";
  return "name" in type ? type.name : type.kind;
}

/** What the parameters of a signature stand for in one call. */
export type Substitution = Map<string, CelType>;

/** Whether a value of type `actual` can be given where `expected` is wanted. */
export function isAssignable(
  expected: CelType,
  actual: CelType,
  substitution: Substitution,
): boolean {
  if (actual.kind === "parameter") return true;
  if (expected.kind === "parameter") {
    const bound = substitution.get(expected.name);
    if (bound === undefined || isOpen(bound)) {
      substitution.set(expected.name, actual);
      return true;
    }
    if (isAssignable(bound, actual, substitution)) return true;
    if (!isAssignable(actual, bound, new Map())) return false;
    substitution.set(expected.name, actual);
    return true;
  }
  if (isOpen(expected) || isOpen(actual)) return true;
  if (actual.kind === "null") return isNullable(expected);
  if (expected.kind === "list" && actual.kind === "list") {
    return isAssignable(expected.item, actual.item, substitution);
  }
  if (expected.kind === "optional" && actual.kind === "optional") {
    return isAssignable(expected.item, actual.item, substitution);
  }
  if (expected.kind === "map" && actual.kind === "map") {
    return (
      isAssignable(expected.key, actual.key, substitution) &&
      isAssignable(expected.value, actual.value, substitution)
    );
  }
  return expected.kind === actual.kind && nameOf(expected) === nameOf(actual);
}

/** A type with its parameters replaced; what is still open is dynamic. */
export function substitute(type: CelType, substitution: Substitution): CelType {
  if (type.kind === "parameter") return substitution.get(type.name) ?? dyn;
  if (type.kind === "list") return listOf(substitute(type.item, substitution));
  if (type.kind === "optional") return optionalOf(substitute(type.item, substitution));
  if (type.kind !== "map") return type;
  return mapOf(substitute(type.key, substitution), substitute(type.value, substitution));
}

/** The type of an aggregate's items, which must agree unless one of them is dynamic. */
export function joinTypes(left: CelType, right: CelType): CelType {
  if (left.kind === "error" || right.kind === "error") return left;
  if (left.kind === "parameter") return right;
  if (right.kind === "parameter") return left;
  if (formatType(left) === formatType(right)) return left;
  return isAssignable(left, right, new Map()) && left.kind !== "dyn" && !isOpen(right) ? left : dyn;
}

function isOpen(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isNullable(type: CelType): boolean {
  return ["null", "object", "timestamp", "duration", "opaque", "optional"].includes(type.kind);
}

function nameOf(type: CelType): string {
  return type.kind === "object" || type.kind === "opaque" ? type.name : "";
}
