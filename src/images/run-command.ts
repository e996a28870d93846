import { followProcess } from "../processes/index.ts";

export interface CommandRequest {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of every line that it prints, of both outputs. */
  readonly onLine: (line: string) => void;
}

export interface CommandEnd {
  /** The exit code; undefined when it could not be started or was ended. */
  readonly status: number | undefined;
  /** Its last lines, or why it could not be started. */
  readonly lastLines: readonly string[];
}

/** Runs a command to its end, or until the signal ends it with all that it started. */
export type RunCommand = (request: CommandRequest) => Promise<CommandEnd>;

const mostLastLines = 20;
const longestLine = 4_000;

export const runCommand: RunCommand = async ({ onLine, ...request }) => {
  if (request.signal.aborted) return { status: undefined, lastLines: ["it was interrupted"] };
  const lastLines: string[] = [];
  const { ended } = followProcess({
    ...request,
    longestLine,
    onLine: (line) => {
      lastLines.push(line);
      if (lastLines.length > mostLastLines) lastLines.shift();
      onLine(line);
    },
  });
  const { code, startError } = await ended;
  if (startError !== undefined) lastLines.push(startError.message);
  return { status: code, lastLines };
};
