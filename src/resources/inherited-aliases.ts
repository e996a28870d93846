import { countedId } from "./name-book.ts";
import { idOfName, type NameScope, scopedName, typeOfName } from "./resource-name.ts";
import type { ResourceRecord } from "./resource-record.ts";

/** The names that a resource had while the composite that allocates it had one of its former names. */
export function inheritedAliases(
  { aliases, type }: Pick<ResourceRecord, "aliases" | "type">,
  {
    scope,
    explicitId,
    automaticId,
  }: {
    readonly scope: NameScope;
    readonly explicitId: string | undefined;
    readonly automaticId: number | undefined;
  },
): readonly string[] {
  return aliases.map((former) => {
    const id = idOfName(former);
    const around = id === undefined ? undefined : { id, isNumber: /^\d+$/.test(id) };
    return scopedName(
      { ...scope, ...formerPlace(scope, type, typeOfName(former)) },
      explicitId === undefined
        ? countedId(automaticId ?? 1, around)
        : [...(id === undefined ? [] : [id]), explicitId].join("/"),
    );
  });
}

/** What stands in the class of the composite stood in that class when it had another name. */
function formerPlace(
  { module, class: className }: NameScope,
  type: string,
  formerType: string,
): Partial<NameScope> {
  const slash = formerType.lastIndexOf("/");
  return `${module}/${className ?? ""}` === type && slash !== -1
    ? { module: formerType.slice(0, slash), class: formerType.slice(slash + 1) }
    : {};
}
