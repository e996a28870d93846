import type { Diagnostic } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { idOfName, isDeferredValue, type ProgramGraph, typeOfName } from "../resources/index.ts";
import { isProvisionedObject, recordOfObject } from "./provisioned-record.ts";

/** Names that left and names that came, which may be the same resource in another place. */
export function looksRenamed(
  { resources }: ProgramGraph,
  /** What is there, by the names of the resources. */
  known: ReadonlyMap<string, KubernetesObject>,
): readonly Diagnostic[] {
  const wanted = new Set(resources.flatMap(({ name, aliases }) => [name, ...aliases]));
  const left = [...known.keys()].filter((name) => !wanted.has(name));
  return resources
    .filter(
      ({ name, aliases, kind }) =>
        kind !== "composite" && ![name, ...aliases].some((each) => known.has(each)),
    )
    .flatMap(({ name, type, explicitId, inputs, source }): readonly Diagnostic[] => {
      const sameType = left.filter((old) => typeOfName(old) === type);
      const sameId = sameType.filter(
        (old) => explicitId !== undefined && idOfName(old) === idOfName(name),
      );
      // With an id of its own a resource is another one if that is another; one that only had a
      // number, or nothing, may have got its id now.
      const alike = sameType.filter(
        (old) =>
          (explicitId === undefined || !hasOwnId(old)) &&
          hasProperties(propertiesOf(known.get(old)), inputs),
      );
      const [only, ...others] = sameId.length > 0 ? sameId : alike;
      if (only === undefined) return [];
      const command = `keelson rename ${JSON.stringify(only)} ${JSON.stringify(name)}`;
      return [
        {
          code: "program.looks-renamed",
          severity: "warning",
          summary:
            sameId.length > 0
              ? `looks renamed: ${only} → ${name}`
              : `${name} is new, and ${[only, ...others].join(", ")} of the same type and properties left`,
          hint: `if it is the same, so that nothing is deleted and created: ${command}`,
          subject: name,
          source,
        },
      ];
    });
}

function propertiesOf(object: KubernetesObject | undefined): unknown {
  if (object === undefined || !isProvisionedObject(object)) return object;
  return recordOfObject(object)?.status?.inputs;
}

/** Whether all that a program gives is there; names differ, and what is not known yet may be anything. */
function hasProperties(found: unknown, given: unknown): boolean {
  if (isDeferredValue(given)) return true;
  if (Array.isArray(given))
    return (
      Array.isArray(found) &&
      found.length === given.length &&
      given.every((inner, index) => hasProperties(found[index], inner))
    );
  if (typeof given !== "object" || given === null) return found === given;
  if (typeof found !== "object" || found === null) return Object.keys(given).length === 0;
  return Object.entries(given).every(
    ([key, inner]) =>
      key === "metadata" || hasProperties((found as Readonly<Record<string, unknown>>)[key], inner),
  );
}

/** Whether somebody gave a resource its id, as far as the name tells. */
function hasOwnId(name: string): boolean {
  return !/(?:^|\/)\d+$/.test(idOfName(name) ?? "0");
}
