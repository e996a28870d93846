import { basename, dirname, isAbsolute, join, relative } from "node:path";
import {
  anyValue,
  encodeText,
  EvaluationError,
  hostFunction,
  optional,
  optionalOrNone,
  required,
  StarlarkModule,
  text,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { textOrBlob } from "../tiltfile-arguments.ts";
import { reasonOf, type TiltfileState } from "../tiltfile-state.ts";
import { Environ } from "../values/environ.ts";

/** `os`: the environment and paths. */
export function osModule(state: TiltfileState): Readonly<Record<string, Value>> {
  const environ = new Environ(state.environment);
  return {
    os: new StarlarkModule("os", {
      environ,
      name: encodeText("posix"),
      path: pathModule(state),
      getcwd: hostFunction("os.getcwd", (call) => {
        call.unpack({});
        return encodeText(state.directoryOf(call));
      }),
      getenv: hostFunction("os.getenv", (call) => {
        const { key, default: fallback } = call.unpack({
          key: required(text),
          default: optional(anyValue),
        });
        return environ.get(encodeText(key)) ?? fallback ?? null;
      }),
      putenv: hostFunction("os.putenv", (call) => {
        const { key, value } = call.unpack({ key: required(text), value: required(textOrBlob) });
        environ.set(encodeText(key), encodeText(value));
        return null;
      }),
      unsetenv: hostFunction("os.unsetenv", (call) => {
        const { key } = call.unpack({ key: required(text) });
        environ.delete(encodeText(key));
        return null;
      }),
    }),
  };
}

function pathModule(state: TiltfileState): Value {
  const one = (name: string, apply: (call: HostCall, path: string) => Value): Value =>
    hostFunction(`os.path.${name}`, (call) =>
      apply(call, call.unpack({ path: required(text) }).path),
    );
  return new StarlarkModule("os.path", {
    abspath: one("abspath", (call, path) => encodeText(state.resolve(call, path))),
    basename: one("basename", (_call, path) =>
      encodeText(path === "" ? "." : path === "/" ? "/" : basename(path)),
    ),
    dirname: one("dirname", (_call, path) => encodeText(dirname(path))),
    exists: one("exists", (call, path) => {
      return state.files.kindOf(state.resolve(call, path)) !== undefined;
    }),
    realpath: one("realpath", (call, path) => {
      try {
        return encodeText(state.files.realPath(state.resolve(call, path)));
      } catch (error) {
        throw new EvaluationError(`os.path.realpath: ${path}: ${reasonOf(error)}`);
      }
    }),
    join: hostFunction("os.path.join", (call) => {
      const parts = [...call.args, ...call.keywords.map(({ value }) => value)].map(text);
      return encodeText(joined(parts));
    }),
    relpath: hostFunction("os.path.relpath", (call) => {
      const { targpath, basepath } = call.unpack({
        targpath: required(text),
        basepath: optionalOrNone(text),
      });
      const from = state.resolve(call, basepath ?? ".");
      const shown = relative(from, state.resolve(call, targpath));
      return encodeText(shown === "" ? "." : shown);
    }),
  });
}

/** Like Python, an absolute part drops what is before it. */
function joined(parts: readonly string[]): string {
  const start = parts.findLastIndex((part) => isAbsolute(part));
  const kept = parts.slice(Math.max(start, 0)).filter((part) => part !== "");
  return kept.length === 0 ? "" : join(...kept);
}
