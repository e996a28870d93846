import type { FieldPath } from "../objects/index.ts";

/** The steps of a path in the server's notation: `spec.containers[0].name`, `metadata.labels[app]`. */
export function fieldSteps(field: string): FieldPath {
  const steps: (string | number)[] = [];
  for (const [, name, inBrackets] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (inBrackets !== undefined)
      steps.push(/^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets);
  }
  return steps;
}
