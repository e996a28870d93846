import { dirname } from "node:path";
import { type GroupReference, groupOfObject, isResourceGroup } from "../../inventory/index.ts";
import type { SourcedObject } from "../../objects/index.ts";

/** The inventories that an input names. */
export interface GroupsOfInput {
  /** All of them, where one is that of the whole input. */
  readonly own: readonly GroupReference[];
  /** Those of packages inside of the input, which say nothing of the rest. */
  readonly inside: readonly GroupReference[];
}

/** A ResourceGroup speaks for its folder and what is below it: one of a subfolder is not that of the whole input. */
export function groupsOfInput(objects: readonly SourcedObject[]): GroupsOfInput {
  const found = objects.filter(({ object }) => isResourceGroup(object));
  const groups = found.map(({ object, file }) => groupOfObject(object, file));
  const others = objects.filter(({ object }) => !isResourceGroup(object));
  const coversAll = ({ file }: SourcedObject): boolean =>
    others.every((other) => isBelow(dirname(other.file), dirname(file)));
  return found.length === 0 || found.some(coversAll)
    ? { own: groups, inside: [] }
    : { own: [], inside: groups };
}

function isBelow(folder: string, ancestor: string): boolean {
  return folder === ancestor || ancestor === "." || folder.startsWith(`${ancestor}/`);
}
