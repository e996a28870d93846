import type { Diagnostic } from "../diagnostics/index.ts";
import { fieldAt, isJsonObject, type JsonValue } from "../json/index.ts";
import {
  type FieldPath,
  isSecret,
  type JsonPath,
  locateJsonPath,
  parseJsonPath,
} from "../objects/index.ts";
import { type AssemblyObject, fullIdentifier } from "./assembly-object.ts";
import type {
  Directive,
  ImageObject,
  ImagePathDirective,
  WorkloadKindDirective,
} from "./directive.ts";
import type { ImagePlace } from "./image-places.ts";
import { matchesName, matchesText } from "./workload-kinds.ts";

type Declaration = ImagePathDirective | WorkloadKindDirective;

interface DeclaredPath {
  readonly declaration: Declaration;
  readonly path: JsonPath;
  readonly image?: ImageObject;
}

const correctPath = "Correct the path so that it leads to the image.";

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

  /** Whether an object has something at a place that was declared for objects like it. */
  applyTo(object: AssemblyObject): boolean {
    if (isSecret(object.given.object)) return false;
    const root = object.given.object as unknown as JsonValue;
    return this.#paths.some(
      ({ declaration, path }) =>
        appliesTo(declaration, object) && locateJsonPath(path, root).value.length > 0,
    );
  }

  /** What a Secret holds is never taken for an image: images are shown. */
  find(object: AssemblyObject): readonly ImagePlace[] {
    if (isSecret(object.given.object)) return [];
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
    for (const diagnostic of diagnostics)
      this.problems.push({ hint: correctPath, ...diagnostic, subject, source });
    if (paths.length === 0 && diagnostics.length === 0) {
      this.problems.push(nothingThere(object, path.text, source));
    }
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
  if (
    !matchesText(declaration.objectKind, kind) ||
    !matchesText(declaration.apiVersion, apiVersion)
  )
    return false;
  if (declaration.kind === "workload-kind") return true;
  const { name, namespace } = declaration;
  return (
    matchesName(name, object.name) &&
    object.namespaces.some((found) => matchesText(namespace, found))
  );
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
    hint: correctPath,
    subject,
    source: source ?? object.given.sourceOf(place),
  };
}

function nothingThere(
  object: AssemblyObject,
  text: string,
  source: Declaration["source"],
): Diagnostic {
  const subject = fullIdentifier(object);
  return {
    code: "assembly.invalid-image",
    severity: "error",
    summary: `${subject} has nothing at ${text}`,
    hint: correctPath,
    subject,
    source: source ?? object.given.sourceOf(),
  };
}
