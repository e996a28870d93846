const letters = "bcdfghjklmnpqrstvwxz2456789";

/** A short name for a value: the same for equal values, whatever the order of their fields. */
export function templateHash(value: unknown, collisions = 0): string {
  const text = `${stableText(value)}${collisions === 0 ? "" : `#${collisions}`}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return Array.from(String(hash), (digit) => letters[digit.charCodeAt(0) % letters.length]).join(
    "",
  );
}

/** JSON with sorted fields, so that equal values have equal texts. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${stableText(field)}`).join(",")}}`;
}
