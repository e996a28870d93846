import type { ApiContext } from "../api/api-context.ts";
import type { RunningCommand } from "../connections/pod-connection.ts";
import {
  type LocalContainer,
  type LocalProcessOptions,
  startLocalContainer,
} from "./local-container.ts";
import { runBeside } from "./run-beside.ts";

interface Entry {
  readonly process: LocalContainer;
  /** Commands that clients run beside it. */
  readonly beside: Set<RunningCommand>;
  exitCode: number | undefined;
}

/** The processes that stand for containers, by the container's identifier. */
export class LocalProcesses {
  readonly #entries = new Map<string, Entry>();

  start(id: string, options: LocalProcessOptions): void {
    this.stop(id);
    const entry: Entry = {
      exitCode: undefined,
      beside: new Set(),
      process: startLocalContainer({
        ...options,
        exit: (code) => {
          entry.exitCode = code;
          stopBeside(entry);
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

  /** The process of a container while it runs. */
  running(id: string): LocalContainer | undefined {
    const entry = this.#entries.get(id);
    return entry?.exitCode === undefined ? entry?.process : undefined;
  }

  /** Runs a command beside the process of a container; it ends when that does. */
  exec(id: string, command: readonly string[], stdin: boolean): RunningCommand {
    const entry = this.#entries.get(id);
    const { environment = {}, pid } = entry?.process ?? {};
    const own = pid === undefined ? environment : { ...environment, KEELSON_PROCESS: String(pid) };
    const running = runBeside(command, own, { stdin });
    entry?.beside.add(running);
    void running.exit.then(() => entry?.beside.delete(running));
    // The process may have ended between the request and its first command.
    if (entry?.exitCode !== undefined || entry === undefined) running.stop();
    return running;
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
    if (entry === undefined) return;
    stopBeside(entry);
    entry.process.stop();
  }

  stopAll(): void {
    for (const id of this.#entries.keys()) this.stop(id);
  }
}

function stopBeside({ beside }: Entry): void {
  for (const running of beside) running.stop();
}

const ofStores = new WeakMap<object, LocalProcesses>();

/** The processes of a sandbox, shared by the kubelet and those who connect to them. */
export function localProcessesOf({ store }: Pick<ApiContext, "store">): LocalProcesses {
  let processes = ofStores.get(store);
  if (processes === undefined) {
    processes = new LocalProcesses();
    ofStores.set(store, processes);
  }
  return processes;
}
