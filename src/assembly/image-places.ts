import { fieldAt } from "../json/index.ts";
import type { FieldPath } from "../objects/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { PlacedPodTemplate } from "./pod-templates.ts";

/** Where an object names an image. */
export interface ImagePlace {
  readonly reference: string;
  readonly path: FieldPath;
  readonly fields?: { readonly repoField: string; readonly tagField: string };
}

const containerFields = ["initContainers", "containers", "ephemeralContainers"] as const;

/** The images of the pods that an object describes: of containers and of volumes. */
export function imagesOfPods(object: AssemblyObject): readonly ImagePlace[] {
  return object.podTemplates.flatMap((template) => {
    const containers = containersOf(template).map((path) => [...path, "image"]);
    const volumes = indexesOf(template.spec["volumes"]).map((index) => [
      ...template.path,
      "volumes",
      index,
      "image",
      "reference",
    ]);
    return textsAt(object, [...containers, ...volumes]);
  });
}

/** The values of the environment variables of the pods that an object describes. */
export function environmentPlaces(object: AssemblyObject): readonly ImagePlace[] {
  const paths = object.podTemplates.flatMap((template) =>
    containersOf(template).flatMap((path) =>
      indexesOf(fieldAt(object.given.object, ...path, "env")).map((index) => [
        ...path,
        "env",
        index,
        "value",
      ]),
    ),
  );
  return textsAt(object, paths);
}

function containersOf({ spec, path }: PlacedPodTemplate): readonly FieldPath[] {
  return containerFields.flatMap((field) =>
    indexesOf(spec[field]).map((index) => [...path, field, index]),
  );
}

function indexesOf(list: unknown): readonly number[] {
  return Array.isArray(list) ? [...list.keys()] : [];
}

function textsAt(object: AssemblyObject, paths: readonly FieldPath[]): readonly ImagePlace[] {
  return paths.flatMap((path) => {
    const reference = fieldAt(object.given.object, ...path);
    return typeof reference === "string" && reference !== "" ? [{ reference, path }] : [];
  });
}
