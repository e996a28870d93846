import { type LocalProcess, type LocalProcessOptions, startLocalProcess } from "./local-process.ts";

interface Entry {
  readonly process: LocalProcess;
  exitCode: number | undefined;
}

/** The processes that stand for containers, by the container's identifier. */
export class LocalProcesses {
  readonly #entries = new Map<string, Entry>();

  start(id: string, options: LocalProcessOptions): void {
    this.stop(id);
    const entry: Entry = {
      exitCode: undefined,
      process: startLocalProcess({
        ...options,
        exit: (code) => {
          entry.exitCode = code;
          // One that was stopped is no longer anybody's.
          if (this.#entries.get(id) === entry) options.exit(code);
        },
      }),
    };
    this.#entries.set(id, entry);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The exit code of a process that has ended, which is then forgotten. */
  takeExit(id: string): number | undefined {
    const exitCode = this.#entries.get(id)?.exitCode;
    if (exitCode !== undefined) this.#entries.delete(id);
    return exitCode;
  }

  stop(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.process.stop();
  }

  stopAll(): void {
    for (const id of this.#entries.keys()) this.stop(id);
  }
}
