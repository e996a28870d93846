import type { Diagnostic } from "../diagnostics/index.ts";
import type { ProgramGraph } from "../resources/index.ts";

/** Names that left and names that came, which may be the same resource in another place. */
export function looksRenamed(
  { resources }: ProgramGraph,
  recorded: Iterable<string>,
): readonly Diagnostic[] {
  const wanted = new Set(resources.flatMap(({ name, aliases }) => [name, ...aliases]));
  const known = new Set(recorded);
  const left = [...known].filter((name) => !wanted.has(name));
  return resources
    .filter(
      ({ name, aliases, kind }) =>
        kind !== "composite" && ![name, ...aliases].some((each) => known.has(each)),
    )
    .flatMap(({ name, type, explicitId, source }): readonly Diagnostic[] => {
      const candidates = left.filter((old) => typeOfName(old) === type);
      const sameId = candidates.filter(
        (old) => explicitId !== undefined && idOfName(old) === idOfName(name),
      );
      const [only, ...others] = sameId.length > 0 ? sameId : candidates;
      if (only === undefined) return [];
      const command = `keelson rename ${JSON.stringify(only)} ${JSON.stringify(name)}`;
      return [
        {
          code: "program.looks-renamed",
          severity: "warning",
          summary:
            sameId.length > 0
              ? `looks renamed: ${only} → ${name}`
              : `${name} is new, and ${[only, ...others].join(", ")} of the same type left`,
          hint: `if it is the same, so that nothing is deleted and created: ${command}`,
          subject: name,
          source,
        },
      ];
    });
}

/** The type in a name: what stands between the scope and the id. */
export function typeOfName(name: string): string {
  const scoped = name.split("#")[0] ?? "";
  return scoped.split(":").slice(-2).join(":");
}

export function idOfName(name: string): string | undefined {
  const hash = name.indexOf("#");
  return hash === -1 ? undefined : name.slice(hash + 1);
}
