/**
 * What a user writes to mean an object: `name:kind:namespace:group`, any number of parts left off at
 * the end. An empty namespace means that the object belongs to none.
 */
export interface ObjectIdentifier {
  readonly name: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly group?: string;
}

/** How identifiers write the group without a name. */
export const coreGroup = "core";

/** An identifier as text; kind, namespace and group are in lower case. */
export function formatIdentifier({ name, kind, namespace, group }: ObjectIdentifier): string {
  let text = escapePart(name);
  for (const part of [kind, namespace, group]) {
    if (part === undefined) break;
    text += `:${escapePart(part.toLowerCase())}`;
  }
  return text;
}

function escapePart(part: string): string {
  return /[:\\]/.test(part) ? part.replaceAll(/[:\\]/g, "\\$&") : part;
}
