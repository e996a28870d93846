import type { CelType } from "./cel-type.ts";

/**
 * What expressions compute with. Integers are bigints and doubles are numbers; everything that has
 * no plain counterpart is one of the classes below.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | UnsignedInteger
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | OpaqueValue;

export class UnsignedInteger {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** How a list of a schema is compared and added to; lists of expressions are plain. */
export type ListIdentity =
  | { readonly kind: "set" }
  | { readonly kind: "map"; readonly keys: readonly string[] };

/** Items are made when they are first looked at: most of a large object never is. */
export class ListValue {
  readonly length: number;
  readonly identity: ListIdentity | undefined;
  readonly #itemAt: (index: number) => CelValue;
  readonly #made: CelValue[] = [];

  constructor(length: number, itemAt: (index: number) => CelValue, identity?: ListIdentity) {
    this.length = length;
    this.#itemAt = itemAt;
    this.identity = identity;
  }

  static of(items: readonly CelValue[], identity?: ListIdentity): ListValue {
    return new ListValue(items.length, (index) => items[index] ?? null, identity);
  }

  at(index: number): CelValue {
    return (this.#made[index] ??= this.#itemAt(index));
  }

  items(): readonly CelValue[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}

/** Both maps and objects: objects are maps whose keys are the names of their fields. */
export interface MapValue {
  readonly size: number;
  readonly keys: () => readonly CelValue[];
  readonly get: (key: CelValue) => CelValue | undefined;
  /** The schema's type when the value is an object and no map. */
  readonly objectName?: string;
  readonly isMap: true;
}

/** A map of an expression. Keys that are equal numbers are the same key. */
export function mapFromEntries(entries: Iterable<readonly [CelValue, CelValue]>): MapValue {
  const byKey = new Map<string, readonly [CelValue, CelValue]>();
  for (const [key, value] of entries) byKey.set(mapKey(key), [key, value]);
  return {
    isMap: true,
    size: byKey.size,
    keys: () => [...byKey.values()].map(([key]) => key),
    get: (key) => byKey.get(mapKey(key))?.[1],
  };
}

export class OptionalValue {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

export const none = new OptionalValue(undefined);

export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library, such as an address or a quantity, with a text that tells equal ones. */
export class OpaqueValue {
  readonly typeName: string;
  readonly identity: string;
  readonly content: unknown;
  constructor(typeName: string, identity: string, content: unknown) {
    this.typeName = typeName;
    this.identity = identity;
    this.content = content;
  }
}

export function isMapValue(value: CelValue): value is MapValue {
  return typeof value === "object" && value !== null && "isMap" in value;
}

/** The type of a value as far as the choice of an overload needs it. */
export function matchesType(type: CelType, value: CelValue): boolean {
  if (type.kind === "dyn" || type.kind === "error" || type.kind === "parameter") return true;
  if (type.kind === "object" || type.kind === "map") return isMapValue(value);
  if (type.kind === "opaque") return value instanceof OpaqueValue && value.typeName === type.name;
  return valueKind(value) === type.kind;
}

export type ValueKind = Exclude<CelType["kind"], "dyn" | "error" | "parameter">;

export function valueKind(value: CelValue): ValueKind {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "double";
  if (typeof value === "string") return "string";
  if (value === null) return "null";
  if (value instanceof ListValue) return "list";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof UnsignedInteger) return "uint";
  if (value instanceof Timestamp) return "timestamp";
  if (value instanceof Duration) return "duration";
  if (value instanceof OptionalValue) return "optional";
  if (value instanceof TypeValue) return "type";
  if (value instanceof OpaqueValue) return "opaque";
  return isMapValue(value) && value.objectName !== undefined ? "object" : "map";
}

/** The name that `type()` gives and that messages show. */
export function typeNameOf(value: CelValue): string {
  if (value instanceof OpaqueValue) return value.typeName;
  if (value !== null && isMapValue(value)) return value.objectName ?? "map";
  const kind = valueKind(value);
  return kindNames[kind] ?? kind;
}

const kindNames: Readonly<Partial<Record<ValueKind, string>>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  optional: "optional_type",
};

/** A text that equal keys share. */
export function mapKey(key: CelValue): string {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (key instanceof UnsignedInteger) return `n${key.value}`;
  // No other value can be a key; all of them are one that no map has.
  return typeof key === "bigint" || typeof key === "number" ? `n${key}` : "?";
}
