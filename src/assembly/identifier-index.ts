import { type AssemblyObject, identifierOf } from "./assembly-object.ts";
import { formatIdentifier, type ObjectIdentifier } from "./identifier.ts";

/**
 * Finds the objects that an identifier matches. Every object is entered once under each identifier
 * that it has, so that neither a question nor the shortening of names looks at all objects.
 */
export class IdentifierIndex {
  readonly #found = new Map<string, AssemblyObject[]>();

  constructor(objects: Iterable<AssemblyObject>) {
    for (const object of objects) for (const text of identifiersOf(object)) this.#add(text, object);
  }

  find(identifier: ObjectIdentifier): readonly AssemblyObject[] {
    return this.#found.get(formatIdentifier(identifier)) ?? [];
  }

  /** The shortest identifier of an object that no other object has; the full one if all are shared. */
  shortest(object: AssemblyObject): string {
    const { name, kind, namespace, group } = identifierOf(object);
    const full = formatIdentifier({ name, kind, namespace, group });
    const shorter = [
      formatIdentifier({ name }),
      formatIdentifier({ name, kind }),
      // Without a group an empty namespace cannot be written.
      ...(namespace === "" ? [] : [formatIdentifier({ name, kind, namespace })]),
    ];
    return shorter.find((text) => this.#found.get(text)?.length === 1) ?? full;
  }

  #add(text: string, object: AssemblyObject): void {
    const found = this.#found.get(text);
    if (found === undefined) this.#found.set(text, [object]);
    else found.push(object);
  }
}

function identifiersOf(object: AssemblyObject): readonly string[] {
  const { name, kind, group } = identifierOf(object);
  const texts = [formatIdentifier({ name }), formatIdentifier({ name, kind })];
  for (const namespace of object.namespaces) {
    if (namespace !== "") texts.push(formatIdentifier({ name, kind, namespace }));
    texts.push(formatIdentifier({ name, kind, namespace, group }));
  }
  return texts;
}
