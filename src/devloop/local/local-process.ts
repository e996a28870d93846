import { followProcess } from "../../processes/index.ts";
import type { LocalCommand } from "../../sources/tiltfile/index.ts";

export interface LocalProcess {
  /** The exit code; undefined when it could not be started or was ended by a signal. */
  readonly ended: Promise<LocalProcessEnd>;
  /** Ends it with all that it started, and waits until it is over. */
  readonly stop: () => Promise<void>;
}

export interface LocalProcessEnd {
  readonly code: number | undefined;
  /** How it ended, for the user. */
  readonly message: string;
}

const longestLine = 16_000;
/** A grandchild may hold the outputs open; its lines are not worth waiting for. */
const outputGraceMs = 200;

/** Starts a command of this machine; whatever it starts ends with it. */
export function startLocalProcess(
  { command, directory, environment }: LocalCommand,
  outer: Readonly<Record<string, string | undefined>>,
  onLine: (line: string, output: "stdout" | "stderr") => void,
): LocalProcess {
  const { ended, stop } = followProcess({
    command,
    directory,
    environment: { ...outer, ...environment },
    onLine,
    longestLine,
    outputGraceMs,
  });
  return {
    stop,
    ended: ended.then(({ code, endedBy, startError }) => ({
      code,
      message:
        startError !== undefined
          ? `it could not be started: ${startError.message}`
          : endedBy === undefined
            ? `it ended with code ${code ?? 0}`
            : `${endedBy} ended it`,
    })),
  };
}
