import { resolve } from "node:path";
import type { EngineHost } from "../engine/index.ts";
import type { CliContext } from "./context.ts";

/** What the engine may use of the machine, as a command line gives it. */
export function hostOf(context: CliContext): EngineHost {
  const { workingDirectory, version, stdin, style } = context;
  return {
    workingDirectory,
    version,
    stdin,
    environment: context.process.env,
    // As the user wrote it, unless the command runs in another directory.
    pathOf: (input) =>
      workingDirectory === process.cwd() ? input : resolve(workingDirectory, input),
    print: (text, from) => {
      const { dim, log } = style.stderr;
      const shown = from === "program" ? log(text) : `${dim(log(text.replace(/\n$/, "")))}\n`;
      context.process.stderr.write(shown);
    },
  };
}
