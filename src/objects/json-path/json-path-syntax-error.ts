/** Leaves the parser of JSON paths; {@link parseJsonPath} makes a diagnostic of it. */
export class JsonPathSyntaxError extends Error {
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(message: string, offset: number, hint?: string) {
    super(message);
    this.name = "JsonPathSyntaxError";
    this.offset = offset;
    this.hint = hint;
  }
}
