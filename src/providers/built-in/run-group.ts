import { resolve } from "node:path";
import { type JsonObject, isJsonObject } from "../../json/index.ts";
import { inputText } from "./input-shape.ts";
import { followProcess } from "../../processes/index.ts";

/** What the resources of this machine need to know of it. */
export interface Machine {
  readonly projectFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder of the user's own for what must be remembered. */
  readonly stateFolder: string;
}

/** A command as it is started: everything that decides what it does. */
export interface Launch {
  readonly argv: readonly string[];
  readonly directory: string;
  /** What is set beside the environment of Keelson itself. */
  readonly environment: Readonly<Record<string, string>>;
}

export function launchOf(command: unknown, inputs: JsonObject, { projectFolder }: Machine): Launch {
  const argv = Array.isArray(command) ? command.map(String) : ["/bin/sh", "-c", String(command)];
  const environment = inputs["environment"];
  return {
    argv,
    directory: resolve(projectFolder, inputText(inputs, "directory")),
    environment: isJsonObject(environment)
      ? Object.fromEntries(
          Object.keys(environment).map((name) => [name, inputText(environment, name)]),
        )
      : {},
  };
}

export interface RunEnd {
  readonly exitCode: number | undefined;
  /** How it ended, in words. */
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
}

const mostOutput = 256 * 1024;
const longestLine = 1024 * 1024;

/** Runs a command to its end, with everything it starts; the signal ends them all. */
export async function runGroup(
  { argv, directory, environment }: Launch,
  machine: Machine,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<RunEnd> {
  const outputs = { stdout: keepLines(log), stderr: keepLines(log) };
  const { ended } = followProcess({
    command: argv,
    directory,
    environment: { ...machine.environment, ...environment },
    longestLine,
    onLine: (line, output) => {
      outputs[output].add(line);
    },
    signal,
  });
  const { code, endedBy, startError } = await ended;
  if (startError !== undefined)
    throw new Error(`${argv[0] ?? ""} could not be started: ${startError.message}`, {
      cause: startError,
    });
  const how = code === undefined ? `was ended by ${endedBy ?? ""}` : `ended with exit code ${code}`;
  const { stdout, stderr } = outputs;
  return { exitCode: code, how, stdout: stdout.all(), stderr: stderr.all() };
}

/** The first lines of an output, without the newlines at its end, as a shell would take them. */
function keepLines(log: (line: string) => void): {
  readonly add: (line: string) => void;
  readonly all: () => string;
} {
  const lines: string[] = [];
  let length = 0;
  return {
    add: (line) => {
      log(line);
      length += line.length + 1;
      if (length <= mostOutput) lines.push(line);
    },
    all: () => lines.join("\n").trimEnd(),
  };
}
