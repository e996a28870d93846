/** A text where one is expected; what has another shape counts as absent. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
