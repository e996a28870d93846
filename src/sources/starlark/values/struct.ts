import { asByteText, decodeText, encodeText, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { isEqual } from "../operations/compare.ts";
import { compoundKey, hashKeyOf } from "../operations/hash-key.ts";
import { display, show } from "../operations/show.ts";
import type { BinaryOperator } from "../syntax/syntax-tree.ts";
import { StarlarkObject, type ComparisonOperator, type HashKey, type Value } from "./value.ts";

const defaultConstructor = asByteText("struct");

/** A value with named fields that cannot be assigned; fields are kept in the order of names. */
export class StarlarkStruct extends StarlarkObject {
  readonly typeName = "struct";
  readonly kind: Value;
  readonly #fields: ReadonlyMap<string, Value>;

  /** Fields are named in text; `kind` is what it is printed as and equal by. */
  constructor(fields: Iterable<readonly [string, Value]>, kind: Value = defaultConstructor) {
    super();
    const encoded = [...fields].map(
      ([name, value]) => [encodeText(name) as string, value] as const,
    );
    this.#fields = new Map(encoded.sort(([left], [right]) => (left < right ? -1 : 1)));
    this.kind = kind;
  }

  show(): string {
    const fields = [...this.#fields].map(([name, value]) => `${name} = ${show(value)}`);
    return `${display(this.kind)}(${fields.join(", ")})`;
  }

  override hashKey(): HashKey {
    const fields = [...this.#fields].flatMap(([name, value]) => [name, hashKeyOf(value)]);
    return compoundKey("struct", [hashKeyOf(this.kind), ...fields]);
  }

  override freeze(): Iterable<Value> {
    return this.#fields.values();
  }

  override contents(): Iterable<Value> {
    return this.#fields.values();
  }

  override attribute(name: string): Value | undefined {
    return this.#fields.get(name);
  }

  override attributeNames(): readonly string[] {
    return [...this.#fields.keys()];
  }

  override missingAttribute(name: string): string {
    const kind = this.kind === defaultConstructor ? "" : `${show(this.kind)} `;
    return `${kind}struct has no .${name} attribute`;
  }

  override binary(
    operator: BinaryOperator,
    other: Value,
    side: "left" | "right",
  ): Value | undefined {
    if (operator !== "+" || !(other instanceof StarlarkStruct)) return undefined;
    const [left, right] = side === "left" ? [this, other] : [other, this];
    if (!isEqual(left.kind, right.kind)) {
      raise(
        `cannot add structs of different constructors: ${show(left.kind)} + ${show(right.kind)}`,
      );
    }
    const fields = [...left.#fields, ...right.#fields];
    return new StarlarkStruct(
      new Map(fields.map(([name, value]) => [decodeText(name), value])),
      left.kind,
    );
  }

  override compare(
    operator: ComparisonOperator,
    other: StarlarkObject,
    depth: number,
  ): boolean | undefined {
    if (!(other instanceof StarlarkStruct)) return undefined;
    if (operator !== "==" && operator !== "!=") return undefined;
    return this.#equals(other, depth) === (operator === "==");
  }

  #equals(other: StarlarkStruct, depth: number): boolean {
    if (this.#fields.size !== other.#fields.size || !isEqual(this.kind, other.kind)) return false;
    return [...this.#fields].every(([name, value]) => {
      const counterpart = other.#fields.get(name);
      return counterpart !== undefined && isEqual(value, counterpart, depth - 1);
    });
  }
}

/** A named collection of functions and values, such as `json`. */
export class StarlarkModule extends StarlarkObject {
  readonly typeName = "module";
  readonly name: string;
  readonly #members: ReadonlyMap<string, Value>;

  constructor(name: string, members: Readonly<Record<string, Value>>) {
    super();
    this.name = name;
    this.#members = new Map(Object.entries(members));
  }

  show(): string {
    return `<module "${encodeText(this.name) satisfies ByteText}">`;
  }

  override hashKey(): HashKey {
    raise("unhashable: module");
  }

  override freeze(): Iterable<Value> {
    return this.#members.values();
  }

  override attribute(name: string): Value | undefined {
    return this.#members.get(name);
  }

  override attributeNames(): readonly string[] {
    return [...this.#members.keys()].sort();
  }
}
