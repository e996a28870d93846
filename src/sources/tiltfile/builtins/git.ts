import { join } from "node:path";
import {
  EvaluationError,
  encodeText,
  hostFunction,
  required,
  StarlarkObject,
  text,
  type Value,
} from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** `local_git_repo`: a checkout, whose `paths` method gives paths inside of it. */
export function gitFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    local_git_repo: hostFunction("local_git_repo", (call) => {
      const { paths } = call.unpack({ paths: required(text) });
      const path = state.resolve(call, paths);
      const shown = state.displayPath(path);
      if (state.files.kindOf(path) === undefined) {
        throw new EvaluationError(`local_git_repo: ${shown} does not exist`);
      }
      if (state.files.kindOf(join(path, ".git")) === undefined) {
        throw new EvaluationError(`local_git_repo: ${shown} is no Git checkout: it has no .git`);
      }
      return new GitRepo(path);
    }),
  };
}

class GitRepo extends StarlarkObject {
  readonly typeName = "gitRepo";
  readonly path: string;

  constructor(path: string) {
    super();
    this.path = path;
  }

  show(): string {
    return encodeText(`[gitRepo] '${this.path}'`);
  }

  override attribute(name: string): Value | undefined {
    if (name !== "paths" && name !== "path") return undefined;
    return hostFunction(name, (call) => {
      const given = call.unpack({ path: required(text) });
      return encodeText(join(this.path, given.path));
    });
  }

  override attributeNames(): readonly string[] {
    return ["path", "paths"];
  }
}
