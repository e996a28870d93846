import type { Diagnostic } from "../diagnostics/index.ts";
import {
  fieldAt,
  type FieldPath,
  isJsonObject,
  type JsonPath,
  type JsonValue,
  locateJsonPath,
  parseJsonPath,
} from "../objects/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type {
  Directive,
  ImageObject,
  ImagePathDirective,
  WorkloadKindDirective,
} from "./directive.ts";
import { fullIdentifier } from "./assembly-object.ts";
import type { PodTemplate } from "./pod-templates.ts";
import { isSameWord } from "./workload-kinds.ts";

/** Where an object names an image. */
export interface ImagePlace {
  readonly reference: string;
  readonly path: FieldPath;
  readonly fields?: { readonly repoField: string; readonly tagField: string };
}

type Declaration = ImagePathDirective | WorkloadKindDirective;

interface DeclaredPath {
  readonly declaration: Declaration;
  readonly path: JsonPath;
  readonly image?: ImageObject;
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
export function environmentOf(object: AssemblyObject): readonly ImagePlace[] {
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

/** The places that directives declare for kinds of objects. */
export class DeclaredImagePaths {
  readonly #paths: readonly DeclaredPath[];
  readonly problems: Diagnostic[] = [];

  constructor(directives: readonly Directive[]) {
    this.#paths = directives.flatMap((directive): readonly DeclaredPath[] => {
      if (directive.kind === "image-path")
        return directive.jsonPaths.flatMap((text) => this.#parse(text, directive));
      if (directive.kind !== "workload-kind") return [];
      const { imageObject } = directive;
      return [
        ...(directive.imageJsonPaths ?? []).flatMap((text) => this.#parse(text, directive)),
        ...(imageObject === undefined
          ? []
          : this.#parse(imageObject.jsonPath, directive, imageObject)),
      ];
    });
  }

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  find(object: AssemblyObject): readonly ImagePlace[] {
    return this.#paths
      .filter(({ declaration }) => appliesTo(declaration, object))
      .flatMap((declared) => this.#locate(declared, object));
  }

  #parse(text: string, declaration: Declaration, image?: ImageObject): readonly DeclaredPath[] {
    const { value, diagnostics } = parseJsonPath(text);
    const { source } = declaration;
    this.problems.push(...diagnostics.map((diagnostic) => ({ ...diagnostic, source })));
    if (value === undefined) return [];
    return [{ declaration, path: value, ...(image === undefined ? {} : { image }) }];
  }

  #locate({ declaration, path, image }: DeclaredPath, object: AssemblyObject): ImagePlace[] {
    const root = object.given.object as unknown as JsonValue;
    const { value: paths, diagnostics } = locateJsonPath(path, root);
    const subject = fullIdentifier(object);
    const { source } = declaration;
    for (const diagnostic of diagnostics) this.problems.push({ ...diagnostic, subject, source });
    return paths.flatMap((place) => {
      const found = fieldAt(root, ...place);
      if (image === undefined && typeof found === "string")
        return [{ reference: found, path: place }];
      const spelled = image === undefined ? undefined : spelledByFields(found, image);
      if (image !== undefined && spelled !== undefined)
        return [{ reference: spelled, path: place, fields: fieldsOf(image) }];
      this.problems.push(noImage(object, path.text, place, image, source));
      return [];
    });
  }
}

function fieldsOf({ repoField, tagField }: ImageObject): ImagePlace["fields"] & object {
  return { repoField, tagField };
}

function spelledByFields(found: unknown, { repoField, tagField }: ImageObject): string | undefined {
  if (!isJsonObject(found)) return undefined;
  const repository = fieldAt(found, repoField);
  const tag = fieldAt(found, tagField);
  if (typeof repository !== "string") return undefined;
  return typeof tag === "string" && tag !== "" ? `${repository}:${tag}` : repository;
}

function appliesTo(declaration: Declaration, object: AssemblyObject): boolean {
  const { apiVersion, kind } = object.given.object;
  if (!isSameWord(declaration.objectKind, kind) || !isSameWord(declaration.apiVersion, apiVersion))
    return false;
  if (declaration.kind === "workload-kind") return true;
  const { name, namespace } = declaration;
  return (
    (name === undefined || name === object.name) &&
    (namespace === undefined || object.namespaces.includes(namespace.toLowerCase()))
  );
}

function containersOf({ spec, path }: PodTemplate): readonly FieldPath[] {
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

function noImage(
  object: AssemblyObject,
  text: string,
  place: FieldPath,
  image: ImageObject | undefined,
  source: Declaration["source"],
): Diagnostic {
  const wanted =
    image === undefined ? "text" : `an object with the text field "${image.repoField}"`;
  const subject = fullIdentifier(object);
  return {
    code: "assembly.invalid-image",
    severity: "error",
    summary: `the image of ${subject} at ${text} cannot be read: ${place.join(".")} is not ${wanted}`,
    hint: "Correct the path so that it leads to the image.",
    subject,
    source: source ?? object.given.sourceOf(place),
  };
}
