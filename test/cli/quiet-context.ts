import { Readable } from "node:stream";
import { type CliContext, createContext } from "../../src/cli/context.ts";

/** What a command may touch, when nobody looks at what it says. */
export function quietContext(workingDirectory: string): CliContext {
  return createContext({
    stdout: { write: () => true },
    stderr: { write: () => true },
    stdin: Readable.from([]),
    // What is kept for later goes where the test throws it away.
    env: { HOME: workingDirectory },
    workingDirectory,
    version: "0.0.0-test",
    color: false,
  });
}
