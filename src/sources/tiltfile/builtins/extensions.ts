import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "../../../diagnostics/index.ts";
import {
  anyValue,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkModule,
  text,
  type Value,
} from "../../starlark/index.ts";
import { textDict, textList } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { apiObjects } from "./api-objects.ts";
import {
  ExtensionFolders,
  type ExtensionRepository,
  isRepositoryAddress,
} from "./extension-repository.ts";

/** What `ext://` addresses stand for. */
export class Extensions {
  readonly #state: TiltfileState;
  readonly #folders: ExtensionFolders;
  readonly #repositories = new Map<string, ExtensionRepository>();
  readonly #extensions = new Map<string, { readonly repository: string; readonly path: string }>();

  constructor(state: TiltfileState) {
    this.#state = state;
    this.#folders = new ExtensionFolders(state);
  }

  /** The file that `ext://name` stands for. */
  find(name: string): string {
    const registered = this.#extensions.get(name);
    const { repository, path } = registered ?? { repository: "default", path: name };
    const file = join(this.#folderOf(name, repository), path, "Tiltfile");
    if (this.#state.files.kindOf(file) === "file") return file;
    return fail({
      code: "tiltfile.extension",
      summary: `the extension ${name} was not found: there is no ${this.#state.displayPath(file)}`,
      hint: "Correct the name, or KEELSON_EXTENSION_PATH.",
    });
  }

  #folderOf(name: string, repository: string): string {
    const registered = this.#repositories.get(repository);
    if (registered?.url.startsWith("file://") === true) {
      const { url, subpath = "" } = registered;
      return join(this.#folders.local(directoryOf(url)), subpath);
    }
    if (registered !== undefined) return this.#folders.fetched(registered);
    if (repository !== "default")
      return fail({
        code: "tiltfile.extension",
        summary: `the extension ${name} was not found: no repository ${repository} is registered`,
        hint: `Register it: v1alpha1.extension_repo(name=${JSON.stringify(repository)}, url='https://…').`,
      });
    const given = this.#givenPath();
    return given === undefined ? this.#folders.standard() : this.#folders.local(given);
  }

  #givenPath(): string | undefined {
    const { extensionPath } = this.#state.options;
    const path = extensionPath ?? this.#state.environment.get("KEELSON_EXTENSION_PATH");
    return path === undefined || path === "" ? undefined : path;
  }

  /** The functions of `v1alpha1` that register extensions. */
  module(): Readonly<Record<string, Value>> {
    const metadata = {
      name: required(text),
      labels: optionalOrNone(textDict),
      annotations: optionalOrNone(textDict),
    };
    return {
      v1alpha1: new StarlarkModule("v1alpha1", {
        ...apiObjects(this.#state),
        extension_repo: hostFunction("v1alpha1.extension_repo", (call) => {
          const {
            name,
            url = "",
            ref,
            git_subpath: subpath,
          } = call.unpack({
            ...metadata,
            url: optionalOrNone(text),
            ref: optionalOrNone(text),
            load_host: optionalOrNone(anyValue),
            git_subpath: optionalOrNone(text),
          });
          if (!url.startsWith("file://") && !isRepositoryAddress(url)) {
            this.#state.report(call, {
              code: "tiltfile.extension",
              summary: `v1alpha1.extension_repo: ${JSON.stringify(url)} is no address of a repository`,
              hint: "Give an address for git, such as https://github.com/org/repo, or a directory as file:///path.",
            });
            return null;
          }
          if (ref?.startsWith("-") === true)
            throw new EvaluationError(`v1alpha1.extension_repo: ${JSON.stringify(ref)} is no ref`);
          this.#repositories.set(name, { url, ref, subpath });
          return null;
        }),
        extension: hostFunction("v1alpha1.extension", (call) => {
          const given = call.unpack({
            ...metadata,
            repo_name: optionalOrNone(text),
            repo_path: optionalOrNone(text),
            args: optionalOrNone(textList),
          });
          const path = given.repo_path ?? given.name;
          this.#extensions.set(given.name, { repository: given.repo_name ?? "default", path });
          return null;
        }),
      }),
    };
  }
}

function directoryOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new EvaluationError(`v1alpha1.extension_repo: ${JSON.stringify(url)} is no file address`);
  }
}
