import { encodeText, StarlarkObject } from "../../starlark/index.ts";

/** A value that programs only hand from one function to another. */
export class PlainValue<T> extends StarlarkObject {
  readonly typeName: string;
  readonly data: T;
  readonly #shown: string;

  constructor(typeName: string, data: T, shown: string) {
    super();
    this.typeName = typeName;
    this.data = data;
    this.#shown = shown;
  }

  show(): string {
    return encodeText(this.#shown);
  }

  override hashKey(): object {
    return this;
  }
}
