const deepest = 100;

/** What keeps a value from being JSON, with its place; undefined when nothing does. */
export function jsonProblem(value: unknown, path: string, depth = 0): string | undefined {
  if (depth > deepest) return `${path} is nested too deeply or refers to itself`;
  if (value === null || ["string", "boolean", "bigint"].includes(typeof value)) return undefined;
  if (typeof value === "object") return objectProblem(value, path, depth);
  if (typeof value !== "number") return `${path} is ${kindInWords(value)}, which is not JSON`;
  return Number.isFinite(value) ? undefined : `${path} is ${value}, which is not JSON`;
}

/** What a value is, for messages. */
export function kindInWords(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "undefined") return "nothing";
  if (typeof value !== "object") return `a ${typeof value}`;
  return isPlain(value) ? "an object" : `a ${value.constructor?.name ?? "value of a class"}`;
}

function objectProblem(value: object, path: string, depth: number): string | undefined {
  if (!Array.isArray(value) && !isPlain(value))
    return `${path} is ${kindInWords(value)}, which is not JSON`;
  for (const [key, each] of Object.entries(value)) {
    // As in JSON itself, a property without a value is one that is not there.
    if (each === undefined && !Array.isArray(value)) continue;
    const problem = jsonProblem(
      each,
      Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`,
      depth + 1,
    );
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// A module in another realm, as test runners have them, brings an Object of its own.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
