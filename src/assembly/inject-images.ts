import { fieldAt, isJsonObject, withFieldAt } from "../json/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import type { Component, ComponentImage } from "./component.ts";
import type { GivenObject } from "./directive.ts";

/**
 * The objects of a component with what was built in the places of what they name. `built` has the
 * built reference for the reference of each build; objects that name none of them are the same ones.
 */
export function injectImages(
  { objects, images }: Pick<Component, "objects" | "images">,
  built: ReadonlyMap<string, string>,
): readonly GivenObject[] {
  const byObject = Map.groupBy(images, ({ object }) => identityKey(object));
  return objects.map((given) => {
    const uses = byObject.get(identityKey(identityOf(given.object))) ?? [];
    const object = uses.reduce((current, use) => injectOne(current, use, built), given.object);
    return object === given.object ? given : { ...given, object };
  });
}

function injectOne(
  object: KubernetesObject,
  { build, path, fields }: ComponentImage,
  built: ReadonlyMap<string, string>,
): KubernetesObject {
  const reference = build === undefined ? undefined : built.get(build);
  const before = fieldAt(object, ...path);
  if (reference === undefined || before === undefined) return object;
  const after =
    fields !== undefined && isJsonObject(before)
      ? { ...before, ...splitReference(reference, fields) }
      : reference;
  return withFieldAt(object, path, () => after) as KubernetesObject;
}

/** What stands before and after the colon of a tag or a digest: joined again it is the reference. */
function splitReference(
  reference: string,
  { repoField, tagField }: NonNullable<ComponentImage["fields"]>,
): Readonly<Record<string, string>> {
  const colon = reference.lastIndexOf(":");
  if (colon <= reference.lastIndexOf("/")) return { [repoField]: reference };
  return { [repoField]: reference.slice(0, colon), [tagField]: reference.slice(colon + 1) };
}
