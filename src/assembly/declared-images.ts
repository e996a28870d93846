import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import type { Directive, ImageDirective } from "./directive.ts";
import { parseImageReference } from "./image-reference.ts";

/** The declared builds, found by the images that they make. */
export class DeclaredImages {
  readonly #byReference = new Map<string, ImageDirective>();
  readonly #inEnvironment: DeclaredImages | undefined;
  readonly problems: readonly Diagnostic[];

  constructor(directives: readonly Directive[]) {
    const images = directives.filter((directive) => directive.kind === "image");
    const problems: Diagnostic[] = [];
    for (const image of images) this.#add(image, problems);
    this.problems = problems;
    const inEnvironment = images.filter(({ matchInEnvVars }) => matchInEnvVars === true);
    // Where all builds count in environment variables, that is this index itself.
    if (inEnvironment.length === images.length) this.#inEnvironment = undefined;
    else this.#inEnvironment = new DeclaredImages(inEnvironment);
  }

  /** Only those that may also be named in environment variables. */
  get inEnvironment(): DeclaredImages {
    return this.#inEnvironment ?? this;
  }

  get all(): Iterable<ImageDirective> {
    return this.#byReference.values();
  }

  get isEmpty(): boolean {
    return this.#byReference.size === 0;
  }

  /** The build that makes an image: the one of its very tag, or else that of its repository. */
  find(text: string): ImageDirective | undefined {
    if (this.isEmpty) return undefined;
    const reference = parseImageReference(text);
    if (reference === undefined) return undefined;
    const { repository, digest } = reference;
    const tag = reference.tag ?? (digest === undefined ? "latest" : undefined);
    const exact = tag === undefined ? undefined : this.#byReference.get(`${repository}:${tag}`);
    return exact ?? this.#byReference.get(repository);
  }

  #add(image: ImageDirective, problems: Diagnostic[]): void {
    const reference = parseImageReference(image.reference);
    if (reference === undefined || reference.digest !== undefined) {
      problems.push(invalidReference(image));
      return;
    }
    const { repository, tag } = reference;
    const key = tag === undefined ? repository : `${repository}:${tag}`;
    const before = this.#byReference.get(key);
    if (before === undefined) this.#byReference.set(key, image);
    else problems.push(builtTwice(before, image));
  }
}

function invalidReference({ reference, source }: ImageDirective): Diagnostic {
  return {
    code: "assembly.invalid-image",
    severity: "error",
    summary: `"${reference}" is no name that an image can be built as`,
    hint: "Write a repository such as registry.example.com/team/web, with a tag if only that one is meant.",
    source,
  };
}

function builtTwice(before: ImageDirective, image: ImageDirective): Diagnostic {
  const where = before.source === undefined ? "" : ` at ${formatPosition(before.source)}`;
  return {
    code: "assembly.duplicate-image",
    severity: "error",
    summary: `the image "${image.reference}" is built twice`,
    detail: `It is built as "${before.reference}"${where} too.`,
    hint: "Remove one of the two builds, or give one a tag of its own.",
    source: image.source,
  };
}
