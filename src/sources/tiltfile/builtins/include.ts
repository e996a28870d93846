import {
  encodeText,
  hostFunction,
  required,
  StarlarkDict,
  text,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** `include` and `load_dynamic`: other files run as with `load`, each only once. */
export function includeFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  const load = (call: HostCall): ReadonlyMap<string, Value> => {
    const { path } = call.unpack({ path: required(text) });
    return call.load(path.startsWith("ext://") ? path : state.resolve(call, path));
  };
  return {
    include: hostFunction("include", (call) => {
      load(call);
      return null;
    }),
    load_dynamic: hostFunction("load_dynamic", (call) => {
      const globals = [...load(call)];
      const symbols = new StarlarkDict(
        globals.map(([name, value]): [Value, Value] => [encodeText(name), value]),
      );
      symbols.freeze();
      return symbols;
    }),
  };
}
