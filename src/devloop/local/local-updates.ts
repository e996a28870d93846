import { fail } from "../../diagnostics/index.ts";
import type { LocalCommand } from "../../sources/tiltfile/index.ts";
import type { DevComponent } from "../dev-component.ts";
import type { DevContext } from "../dev-context.ts";
import { startLocalProcess } from "./local-process.ts";
import { LocalServer } from "./local-server.ts";
import { runDeploy } from "./run-deploy.ts";

interface RunningCommands {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Updates components that commands of this machine make up. */
export class LocalUpdates {
  readonly #context: DevContext;
  /** Told when commands have put objects into the cluster. */
  readonly #onDeployed: (entry: DevComponent) => void;
  /** What ends the commands that run at the moment. */
  readonly #running = new Map<DevComponent, RunningCommands>();
  #isBusyAlone = false;

  constructor(context: DevContext, onDeployed: (entry: DevComponent) => void) {
    this.#context = context;
    this.#onDeployed = onDeployed;
  }

  /** Whether another command must end first. */
  mustWait({ local }: DevComponent): boolean {
    return local !== undefined && !local.allowsParallel && this.#isBusyAlone;
  }

  async run(entry: DevComponent): Promise<void> {
    const { state, signal, slots, pump } = this.#context;
    const { name } = entry;
    const isAlone = entry.local !== undefined && !entry.local.allowsParallel;
    entry.isUpdating = true;
    if (isAlone) this.#isBusyAlone = true;
    try {
      await slots().run(async () => {
        const message = entry.pending?.message ?? "";
        entry.pending = undefined;
        entry.changedFiles.clear();
        state.changedFiles(name, []);
        if (signal.aborted || entry.isDisabled) return;
        state.update(name, "in_progress", "Running", message);
        await this.#stoppable(entry, (stop) =>
          entry.deploy === undefined ? this.#runCommands(entry, stop) : this.#deploy(entry, stop),
        );
      });
    } finally {
      entry.isUpdating = false;
      if (isAlone) this.#isBusyAlone = false;
    }
    pump();
  }

  /** Ends the command of a component with all that it started, and waits until that is over. */
  async giveUp(entry: DevComponent): Promise<void> {
    const running = this.#running.get(entry);
    running?.stop.abort();
    await running?.ended;
  }

  /** Runs work that ends when the loop does, or when its component is given up. */
  async #stoppable(
    entry: DevComponent,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running.set(entry, { stop, ended: ended.promise });
    try {
      await work(AbortSignal.any([this.#context.signal, stop.signal]));
    } finally {
      this.#running.delete(entry);
      ended.resolve();
    }
  }

  async #runCommands(entry: DevComponent, signal: AbortSignal): Promise<void> {
    const { state } = this.#context;
    const { name, local, component } = entry;
    if (local === undefined) return;
    const problem = await this.#runToEnd(name, local.update, signal);
    if (signal.aborted) return;
    if (problem !== undefined) {
      state.update(name, "error", "CommandFailed", problem);
      return;
    }
    if (local.serve === undefined) {
      state.runtime(name, "not_applicable", "NoServer", "it has no server");
    } else {
      entry.server ??= this.#serverOf(name);
      await entry.server.start(local);
    }
    if (local.update === undefined) state.update(name, "ok", "Started", "its server was started");
    else state.update(name, "ok", "CommandSucceeded", "its command succeeded");
    state.endpoints(name, component.links);
  }

  /** What commands of the user brought, only commands of the user can take away. */
  async undeploy(entry: DevComponent): Promise<void> {
    const { name, deploy } = entry;
    const problem = await this.#runToEnd(name, deploy?.delete, this.#context.signal);
    entry.deployed = [];
    entry.isDeployed = problem !== undefined;
    if (problem === undefined) return;
    fail({
      code: "devloop.update",
      summary: `the command that deletes ${name} failed`,
      detail: problem,
    });
  }

  /** Undefined when the command ended well, or when there is none. */
  async #runToEnd(
    name: string,
    command: LocalCommand | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { environment, reporter } = this.#context;
    if (command === undefined) return undefined;
    let lastLine = "";
    const running = startLocalProcess(command, environment, (line) => {
      lastLine = line;
      reporter.log(name, "command", line);
    });
    const stop = (): void => void running.stop();
    signal.addEventListener("abort", stop, { once: true });
    const { code, message } = await running.ended;
    signal.removeEventListener("abort", stop);
    return code === 0 ? undefined : `${message}${lastLine === "" ? "" : `: ${lastLine}`}`;
  }

  #serverOf(name: string): LocalServer {
    const { environment, reporter, state, pump } = this.#context;
    return new LocalServer({
      environment,
      onLine: (line) => {
        reporter.log(name, "server", line);
      },
      onRuntime: (status, reason, message) => {
        state.runtime(name, status, reason, message);
        pump();
      },
    });
  }

  async #deploy(entry: DevComponent, signal: AbortSignal): Promise<void> {
    const { state, environment, reporter, cluster, current } = this.#context;
    const { name, deploy } = entry;
    if (deploy === undefined) return;
    entry.isDeployed = true;
    const outcome = await runDeploy(deploy, {
      environment,
      images: current()?.desired.images ?? new Map(),
      cluster,
      onLine: (line) => {
        reporter.log(name, "command", line);
      },
      signal,
    });
    if (signal.aborted) return;
    if (outcome.kind === "failed") {
      state.update(name, "error", "CommandFailed", outcome.message);
      return;
    }
    entry.deployed = outcome.objects;
    entry.readiness.clear();
    state.update(name, "ok", "CommandSucceeded", "its command succeeded");
    this.#onDeployed(entry);
  }
}
