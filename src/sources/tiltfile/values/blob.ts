import { encodeText, StarlarkObject, type ByteText, type Value } from "../../starlark/index.ts";

/** Text that is content, not a path. It may be made from documents that are at hand. */
export class Blob extends StarlarkObject {
  readonly typeName = "blob";
  /** Where it comes from, in the words of a message. */
  readonly origin: string;
  /** The documents that the text stands for, when they need not be read out of it. */
  readonly documents: readonly unknown[] | undefined;
  readonly #makeText: () => string;
  #text: string | undefined;

  constructor(origin: string, text: string | (() => string), documents?: readonly unknown[]) {
    super();
    this.origin = origin;
    this.documents = documents;
    this.#makeText = typeof text === "string" ? () => text : text;
    if (typeof text === "string") this.#text = text;
  }

  get text(): string {
    return (this.#text ??= this.#makeText());
  }

  get bytes(): ByteText {
    return encodeText(this.text);
  }

  show(): string {
    return this.bytes;
  }

  override get isTruthy(): boolean {
    return this.text !== "";
  }

  override contents(): Iterable<Value> {
    return this.#text === undefined ? [] : [encodeText(this.#text)];
  }
}
