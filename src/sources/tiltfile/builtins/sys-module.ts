import {
  encodeText,
  hostFunction,
  required,
  StarlarkList,
  StarlarkModule,
  text,
  type Value,
} from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** `sys` and `shlex`. */
export function sysModule(state: TiltfileState): Readonly<Record<string, Value>> {
  const { executable = "keelson", version = "", subcommand, args = [] } = state.options;
  const words = [executable, ...(subcommand === undefined ? [] : [subcommand])];
  const argv = [...words, ...(args.length === 0 ? [] : ["--", ...args])];
  return {
    sys: new StarlarkModule("sys", {
      argv: new StarlarkList(argv.map(encodeText)),
      executable: encodeText(executable),
      version: encodeText(version),
      platform: encodeText(process.platform),
    }),
    shlex: new StarlarkModule("shlex", {
      quote: hostFunction("shlex.quote", (call) => {
        const { s } = call.unpack({ s: required(text) });
        return encodeText(quoted(s));
      }),
    }),
  };
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
