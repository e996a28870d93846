import type { Schema } from "../schema/index.ts";

/** The steps of the `fieldPath` of a rule, such as `.spec['a-b']`; undefined when it is none. */
export function readFieldPath(text: string): readonly string[] | undefined {
  const steps: string[] = [];
  const pattern = /\.([^.[\]\s]+)|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    steps.push((match[1] ?? match[2] ?? match[3] ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  return steps.length === 0 ? undefined : steps;
}

/** The path of a field below a value, with keys of maps in brackets. */
export function joinFieldPath(path: string, text: string, schema: Schema): string {
  let joined = path;
  let at: Schema | undefined = schema;
  for (const step of readFieldPath(text) ?? []) {
    const property: Schema | undefined = at?.properties?.get(step);
    if (property === undefined) {
      joined += `[${step}]`;
      const { additionalProperties }: Schema = at ?? {};
      at = typeof additionalProperties === "object" ? additionalProperties : undefined;
    } else {
      joined += joined === "" ? step : `.${step}`;
      at = property;
    }
  }
  return joined;
}

/** Whether a path leads to a field that the schema describes. */
export function leadsToField(schema: Schema, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  const { additionalProperties } = schema;
  const below =
    schema.properties?.get(step) ??
    (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return below !== undefined && leadsToField(below, rest);
}
