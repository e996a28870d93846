import { encodeText, StarlarkObject, type Value } from "../../starlark/index.ts";

/** A value that programs hand from one function to another; some have fields to look at. */
export class PlainValue<T> extends StarlarkObject {
  readonly typeName: string;
  readonly data: T;
  readonly #shown: string;
  readonly #fields: Readonly<Record<string, Value>> | undefined;

  constructor(typeName: string, data: T, shown: string, fields?: Readonly<Record<string, Value>>) {
    super();
    this.typeName = typeName;
    this.data = data;
    this.#shown = shown;
    this.#fields = fields;
  }

  override attribute(name: string): Value | undefined {
    return this.#fields !== undefined && Object.hasOwn(this.#fields, name)
      ? this.#fields[name]
      : undefined;
  }

  override attributeNames(): readonly string[] | undefined {
    return this.#fields === undefined ? undefined : Object.keys(this.#fields).sort();
  }

  show(): string {
    return encodeText(this.#shown);
  }

  override hashKey(): object {
    return this;
  }
}
