import { type AssemblyObject, identifierOf } from "./assembly-object.ts";
import { formatIdentifier, type ObjectIdentifier } from "./identifier.ts";

/**
 * Finds the objects that an identifier matches. Objects are kept by name, and those of one name by
 * each longer identifier that they have, so that neither a question nor the shortening of names
 * looks at all objects.
 */
export class IdentifierIndex {
  readonly #byName = new Map<string, AssemblyObject[]>();
  readonly #byLonger = new Map<string, ReadonlyMap<string, readonly AssemblyObject[]>>();

  constructor(objects: Iterable<AssemblyObject>) {
    for (const object of objects) put(this.#byName, object.name, object);
  }

  find(identifier: ObjectIdentifier): readonly AssemblyObject[] {
    if (identifier.kind === undefined) return this.#byName.get(identifier.name) ?? [];
    return this.#longerOf(identifier.name).get(formatIdentifier(identifier)) ?? [];
  }

  /** The shortest identifier of an object that no other object has; the full one if all are shared. */
  shortest(object: AssemblyObject): string {
    const { name, kind, namespace, group } = identifierOf(object);
    if (this.#byName.get(name)?.length === 1) return formatIdentifier({ name });
    const longer = this.#longerOf(name);
    const short = formatIdentifier({ name, kind });
    if (longer.get(short)?.length === 1) return short;
    // Without a group an empty namespace cannot be written.
    const middle = namespace === "" ? short : formatIdentifier({ name, kind, namespace });
    if (longer.get(middle)?.length === 1) return middle;
    return formatIdentifier({ name, kind, namespace, group });
  }

  /** Made when it is first needed: most names are unique. */
  #longerOf(name: string): ReadonlyMap<string, readonly AssemblyObject[]> {
    const known = this.#byLonger.get(name);
    if (known !== undefined) return known;
    const longer = new Map<string, AssemblyObject[]>();
    for (const object of this.#byName.get(name) ?? [])
      for (const text of longerIdentifiers(object)) put(longer, text, object);
    this.#byLonger.set(name, longer);
    return longer;
  }
}

function longerIdentifiers(object: AssemblyObject): readonly string[] {
  const { name, kind, group } = identifierOf(object);
  const texts = [formatIdentifier({ name, kind })];
  for (const namespace of object.namespaces) {
    if (namespace !== "") texts.push(formatIdentifier({ name, kind, namespace }));
    texts.push(formatIdentifier({ name, kind, namespace, group }));
  }
  return texts;
}

function put(map: Map<string, AssemblyObject[]>, key: string, object: AssemblyObject): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [object]);
  else there.push(object);
}
