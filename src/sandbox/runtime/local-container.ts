import { PassThrough, Writable } from "node:stream";
import type { RunningCommand } from "../connections/pod-connection.ts";
import { lineSplitter } from "./line-splitter.ts";
import { type ChildProcess, couldNotStart, exitCodeOf, stopGroup } from "../../processes/index.ts";
import { spawnContainer } from "./spawn-container.ts";

export interface LocalProcessOptions {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it has a standard input that clients can attach to; `once`: the first one ends it. */
  readonly stdin?: "open" | "once" | undefined;
  readonly output: (line: string) => void;
  readonly exit: (code: number) => void;
}

export interface LocalContainer {
  readonly environment: Readonly<Record<string, string>>;
  /** The first of its group; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Its output from now on, and its input. */
  readonly attach: () => RunningCommand;
  readonly stop: () => void;
}

/** A client that is so far behind is let go. */
const mostUnread = 1024 * 1024;

/** Runs a command that stands for a container; whatever it starts ends with it. */
export function startLocalContainer(options: LocalProcessOptions): LocalContainer {
  const { command, environment, stdin } = options;
  const child = spawnContainer(
    [command],
    environment,
    [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    { shell: true },
  );
  child.stdin?.on("error", () => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    const { write, end } = lineSplitter(options.output);
    stream?.on("data", write).once("end", end);
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
  child.once("close", (code, signal) => {
    finish(exitCodeOf(code, signal));
  });
  return {
    environment,
    pid: child.pid,
    attach: () => attach(child, stdin === "once"),
    stop: () => {
      if (!isOver) stopGroup(child);
    },
  };
}

function attach(child: ChildProcess, endsInput: boolean): RunningCommand {
  const { stdin } = child;
  const stdout = copyOf(child.stdout);
  const stderr = copyOf(child.stderr);
  const exit = new Promise<number>((resolve) => {
    child.once("close", () => {
      resolve(0);
    });
  });
  const stop = (): void => {
    stdout.end();
    stderr.end();
  };
  child.once("close", stop);
  const input = new Writable({
    write: (chunk, _encoding, done) => {
      if (stdin === null || stdin.destroyed) done();
      else stdin.write(chunk, () => done());
    },
    final: (done) => {
      if (endsInput) stdin?.end();
      done();
    },
  });
  return { stdin: input, stdout, stderr, exit, stop };
}

function copyOf(source: ChildProcess["stdout"]): PassThrough {
  const copy = new PassThrough();
  const take = (chunk: Buffer): void => {
    if (copy.writableEnded) return;
    if (copy.writableLength + copy.readableLength > mostUnread) copy.end();
    else copy.write(chunk);
  };
  source?.on("data", take);
  copy.once("close", () => source?.off("data", take));
  return copy;
}
