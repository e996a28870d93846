import {
  decodeText,
  encodeText,
  EvaluationError,
  StarlarkDict,
  typeName,
  type Value,
} from "../../starlark/index.ts";

/** `os.environ`: a dict that is the environment. It never freezes, because the environment does not. */
export class Environ extends StarlarkDict {
  readonly #environment: Map<string, string>;

  constructor(environment: Map<string, string>) {
    super();
    this.#environment = new Map();
    for (const [name, value] of environment) super.set(encodeText(name), encodeText(value));
    this.#environment = environment;
  }

  override freeze(): Iterable<Value> {
    return [];
  }

  override set(key: Value, value: Value): void {
    if (typeof key !== "string" || typeof value !== "string") {
      const wrong = typeof key === "string" ? value : key;
      throw new EvaluationError(`os.environ: got ${typeName(wrong)}, want string`);
    }
    super.set(key, value);
    this.#environment.set(decodeText(key), decodeText(value));
  }

  override delete(key: Value): Value | undefined {
    const before = super.delete(key);
    if (typeof key === "string") this.#environment.delete(decodeText(key));
    return before;
  }

  override clear(): void {
    super.clear();
    this.#environment.clear();
  }
}
