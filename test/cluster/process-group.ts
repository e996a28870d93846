/** Child processes that end with their owner. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<void>;
  /** True once it has ended. */
  readonly ended: () => boolean;
  readonly lastLog: () => string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

const patienceMs = 10_000;

export class ProcessGroup {
  readonly #folder: string;
  readonly #reaper: ChildProcess;
  readonly #running = new Set<RunningProcess>();

  constructor(folder: string) {
    this.#folder = folder;
    const script = join(dirname(fileURLToPath(import.meta.url)), "reaper.ts");
    this.#reaper = spawn(process.execPath, [script], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#reaper.stdin?.on("error", () => {
      // The reaper is gone; the processes then end with `stop`.
    });
    this.#reaper.unref();
    this.#tell(`folder ${folder}`);
  }

  start(name: string, command: string, args: readonly string[]): RunningProcess {
    const logPath = join(this.#folder, `${name}.log`);
    const log = openSync(logPath, "a");
    const child = spawn(command, args, { stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    let ended = false;
    const exited = new Promise<void>((resolve) => {
      const end = (): void => {
        ended = true;
        this.#running.delete(running);
        if (child.pid !== undefined) this.#tell(`forget ${child.pid}`);
        resolve();
      };
      child.on("exit", end);
      child.on("error", end);
    });
    const running: RunningProcess = {
      name,
      pid: child.pid ?? -1,
      exited,
      ended: () => ended,
      lastLog: () => readFileSync(logPath, "utf8").split("\n").slice(-15).join("\n"),
      stop: async (signal = "SIGTERM") => {
        if (ended) return;
        child.ref();
        child.kill(signal);
        await Promise.race([exited, pause(patienceMs, undefined, { ref: false })]);
        if (!ended) child.kill("SIGKILL");
        await exited;
      },
    };
    child.unref();
    this.#running.add(running);
    this.#tell(`pid ${running.pid}`);
    return running;
  }

  /** Ends everything at once; the reaper then removes the folder. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.stop("SIGKILL")));
    const reaped = new Promise<void>((resolve) => {
      this.#reaper.on("exit", () => {
        resolve();
      });
    });
    this.#reaper.ref();
    this.#reaper.stdin?.end();
    await reaped;
  }

  #tell(line: string): void {
    this.#reaper.stdin?.write(`${line}\n`);
  }
}
