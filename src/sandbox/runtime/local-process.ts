import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface LocalProcessOptions {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly output: (line: string) => void;
  readonly exit: (code: number) => void;
}

export interface LocalProcess {
  readonly pid: number | undefined;
  readonly stop: () => void;
}

const killAfterMs = 5000;
const killedBySignal = 128;
const sigterm = 15;
const couldNotStart = 127;

/** Runs a command that stands for a container; whatever it starts ends with it. */
export function startLocalProcess(options: LocalProcessOptions): LocalProcess {
  const child = spawn(options.command, {
    shell: true,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...options.environment,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", options.output);
  }
  let isOver = false;
  const finish = (code: number): void => {
    if (isOver) return;
    isOver = true;
    options.exit(code);
  };
  child.once("error", (error) => {
    options.output(`cannot start: ${error.message}`);
    finish(couldNotStart);
  });
  child.once("close", (code) => {
    finish(code ?? killedBySignal + sigterm);
  });
  return {
    pid: child.pid,
    stop: () => {
      if (!isOver) stopGroup(child);
    },
  };
}

function stopGroup(child: ChildProcess): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
  }, killAfterMs);
  timer.unref();
  child.once("close", () => {
    clearTimeout(timer);
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
