import { fail } from "../../diagnostics/index.ts";
import type { LocalCommand } from "../../sources/tiltfile/index.ts";
import type { DevComponent } from "../dev-component.ts";
import type { DevContext } from "../dev-context.ts";
import { startLocalProcess } from "./local-process.ts";
import { LocalServer } from "./local-server.ts";
import { runDeploy } from "./run-deploy.ts";

/** Updates components that commands of this machine make up. */
export class LocalUpdates {
  readonly #context: DevContext;
  /** Told when commands have put objects into the cluster. */
  readonly #onDeployed: () => void;
  #isBusyAlone = false;

  constructor(context: DevContext, onDeployed: () => void) {
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
        if (entry.deploy === undefined) await this.#runCommands(entry);
        else await this.#deploy(entry);
      });
    } finally {
      entry.isUpdating = false;
      if (isAlone) this.#isBusyAlone = false;
    }
    pump();
  }

  async #runCommands(entry: DevComponent): Promise<void> {
    const { state, signal } = this.#context;
    const { name, local, component } = entry;
    if (local === undefined) return;
    const problem = await this.#runToEnd(name, local.update);
    if (signal.aborted || entry.isDisabled) return;
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
  async undeploy({ name, deploy }: DevComponent): Promise<void> {
    const problem = await this.#runToEnd(name, deploy?.delete);
    if (problem === undefined) return;
    fail({
      code: "devloop.update",
      summary: `the command that deletes ${name} failed`,
      detail: problem,
    });
  }

  /** Undefined when the command ended well, or when there is none. */
  async #runToEnd(name: string, command: LocalCommand | undefined): Promise<string | undefined> {
    const { environment, reporter, signal } = this.#context;
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

  async #deploy(entry: DevComponent): Promise<void> {
    const { state, signal, environment, reporter, cluster, current } = this.#context;
    const { name, deploy } = entry;
    if (deploy === undefined) return;
    const outcome = await runDeploy(deploy, {
      environment,
      images: current()?.desired.images ?? new Map(),
      namespace: cluster.namespace,
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
    this.#onDeployed();
  }
}
