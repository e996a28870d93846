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

/** Where extensions are: directories of this machine, never the network. */
export class Extensions {
  readonly #state: TiltfileState;
  readonly #repositories = new Map<string, string>();
  readonly #extensions = new Map<string, { readonly repository: string; readonly path: string }>();

  constructor(state: TiltfileState) {
    this.#state = state;
  }

  /** The file that `ext://name` stands for. */
  find(name: string): string {
    const registered = this.#extensions.get(name);
    const { repository, path } = registered ?? { repository: "default", path: name };
    const root = this.#repositories.get(repository) ?? this.#defaultPath();
    const summary = `the extension ${name} was not found`;
    if (root === undefined) {
      return fail({
        code: "tiltfile.extension",
        summary,
        hint: `Keelson fetches no extensions. Set KEELSON_EXTENSION_PATH to a directory with ${path}/Tiltfile, such as a checkout of tilt-dev/tilt-extensions.`,
      });
    }
    const file = join(root, path, "Tiltfile");
    if (this.#state.files.kindOf(file) === "file") return file;
    return fail({
      code: "tiltfile.extension",
      summary: `${summary}: there is no ${this.#state.displayPath(file)}`,
      hint: "Correct the name, or KEELSON_EXTENSION_PATH.",
    });
  }

  #defaultPath(): string | undefined {
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
          const { name, url = "" } = call.unpack({
            ...metadata,
            url: optionalOrNone(text),
            ref: optionalOrNone(text),
            load_host: optionalOrNone(anyValue),
            git_subpath: optionalOrNone(anyValue),
          });
          if (!url.startsWith("file://")) {
            this.#state.report(call, {
              code: "tiltfile.not-supported",
              summary: `v1alpha1.extension_repo: ${JSON.stringify(url)} is no address of this machine`,
              hint: "Check the repository out, and give its directory as file:///path.",
            });
            return null;
          }
          this.#repositories.set(name, directoryOf(url));
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
