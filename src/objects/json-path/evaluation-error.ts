/** A path that cannot be applied to a value; the edges make a diagnostic of it. */
export class JsonPathError extends Error {
  override readonly name = "EvaluationError";
}
