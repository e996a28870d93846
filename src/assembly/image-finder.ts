import type { Diagnostic } from "../diagnostics/index.ts";
import { identityOf } from "../objects/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { ComponentImage } from "./component.ts";
import { DeclaredImagePaths } from "./declared-image-paths.ts";
import type { Directive, ImageDirective } from "./directive.ts";
import { DeclaredImages } from "./declared-images.ts";
import { environmentPlaces, type ImagePlace, imagesOfPods } from "./image-places.ts";
import { unusedBuilds } from "./unused-builds.ts";

/** Finds the images that objects use, and remembers which builds were found. */
export class ImageFinder {
  readonly #builds: DeclaredImages;
  readonly #paths: DeclaredImagePaths;
  readonly #used = new Set<ImageDirective>();
  readonly #references = new Set<string>();

  constructor(directives: readonly Directive[]) {
    this.#builds = new DeclaredImages(directives);
    this.#paths = new DeclaredImagePaths(directives);
  }

  /** Whether the author declared where an object names its images, and it names one there. */
  isDeclaredFor(object: AssemblyObject): boolean {
    return !this.#paths.isEmpty && this.#paths.applyTo(object);
  }

  find(object: AssemblyObject): readonly ComponentImage[] {
    if (object.podTemplates.length === 0 && this.#paths.isEmpty) return [];
    const found = new Map<string, ComponentImage>();
    for (const place of [...imagesOfPods(object), ...this.#paths.find(object)]) {
      this.#references.add(place.reference);
      found.set(place.path.join("\u0000"), this.#use(object, place, this.#builds));
    }
    const inEnvironment = this.#builds.inEnvironment;
    if (inEnvironment.isEmpty) return [...found.values()];
    for (const place of environmentPlaces(object)) {
      const image = this.#use(object, place, inEnvironment);
      if (image.build !== undefined) found.set(place.path.join("\u0000"), image);
    }
    return [...found.values()];
  }

  /** What is wrong with the images; to be asked after all objects were looked at. */
  diagnostics(): readonly Diagnostic[] {
    return [
      ...this.#builds.problems,
      ...this.#paths.problems,
      ...unusedBuilds(this.#builds, this.#used, this.#references),
    ];
  }

  #use(object: AssemblyObject, place: ImagePlace, builds: DeclaredImages): ComponentImage {
    const build = builds.find(place.reference);
    if (build !== undefined) this.#used.add(build);
    return {
      ...place,
      ...(build === undefined ? {} : { build: build.reference }),
      object: identityOf(object.given.object),
    };
  }
}
