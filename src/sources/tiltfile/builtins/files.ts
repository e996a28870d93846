import { join } from "node:path";
import {
  bool,
  encodeText,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkList,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { pathText, textOrBlob } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";

const mostListed = 200_000;

/** `read_file`, `watch_file`, `listdir` and `blob`. */
export function fileFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    read_file: hostFunction("read_file", (call) => {
      const { paths, default: fallback } = call.unpack({
        paths: required(pathText),
        default: optionalOrNone(textOrBlob),
      });
      const path = state.resolve(call, paths);
      const text = readOr(state, path, fallback);
      call.allocate(text.length);
      return new Blob(state.displayPath(path), text);
    }),

    watch_file: hostFunction("watch_file", (call) => {
      const { paths } = call.unpack({ paths: required(pathText) });
      state.watch(state.resolve(call, paths));
      return null;
    }),

    listdir: hostFunction("listdir", (call) => {
      const { dir, recursive = false } = call.unpack({
        dir: required(pathText),
        recursive: optionalOrNone(bool),
      });
      const directory = state.resolve(call, dir);
      state.watch(directory);
      // As in Tilt: public Tiltfiles list folders that need not be there.
      if (state.files.kindOf(directory) !== "directory") return new StarlarkList([]);
      return new StarlarkList(list(state, call, directory, recursive).map(encodeText));
    }),

    blob: hostFunction("blob", (call) => {
      const { input } = call.unpack({ input: required(textOrBlob) });
      return new Blob("blob", input);
    }),
  };
}

/** The text of a file, or what is to be taken where there is none. */
export function readOr(state: TiltfileState, path: string, fallback: string | undefined): string {
  if (fallback !== undefined && state.files.kindOf(path) === undefined) {
    state.watch(path);
    return fallback;
  }
  return state.readText(path);
}

function list(
  state: TiltfileState,
  call: HostCall,
  directory: string,
  isRecursive: boolean,
): readonly string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const { name, isDirectory } of state.files.list(folder)) {
      call.step(1);
      const path = join(folder, name);
      if (!isDirectory) files.push(path);
      else if (isRecursive) visit(path);
      if (files.length > mostListed)
        throw new EvaluationError(`listdir: ${directory} has too many files`);
    }
  };
  visit(directory);
  return files;
}
