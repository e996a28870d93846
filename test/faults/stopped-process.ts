import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectTo, type Cluster, selectCluster } from "../../src/cluster/index.ts";
import { keelsonScript } from "../built-package.ts";
import { serveInMemory, type ServedSandbox } from "../../src/sandbox/serve-sandbox.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type OnWrite = (
  child: { readonly kill: (signal: NodeJS.Signals) => void },
  write: number,
) => void;

/** A served sandbox whose writes are counted, and commands as processes of their own that can be stopped. */
export class StoppedProcess {
  readonly folder = mkdtempSync(join(tmpdir(), "keelson-killed-"));
  readonly kubeconfig = join(this.folder, "kubeconfig");
  readonly cluster: Cluster;
  readonly #served: ServedSandbox;
  #onWrite: (() => void) | undefined;

  /** Controllers write too; what the command writes is told apart by its resources. */
  static async open(resources: RegExp): Promise<StoppedProcess> {
    const served = await serveInMemory();
    const folder = mkdtempSync(join(tmpdir(), "keelson-connect-"));
    try {
      const kubeconfig = join(folder, "kubeconfig");
      writeFileSync(kubeconfig, served.kubeconfig);
      const selection = await selectCluster({ kubeconfig, env: {}, home: folder });
      if (selection === undefined) throw new Error("no cluster");
      return new StoppedProcess(served, connectTo(selection.settings), resources);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private constructor(served: ServedSandbox, cluster: Cluster, resources: RegExp) {
    this.#served = served;
    this.cluster = cluster;
    writeFileSync(this.kubeconfig, served.kubeconfig);
    served.sandbox.context.store.subscribe(({ resource }) => {
      if (resources.test(resource)) this.#onWrite?.();
    });
  }

  /** Runs a command; `act` is called with every write that arrives at the server. */
  run(words: readonly string[], act: OnWrite = () => {}): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [keelsonScript, ...words, "--kubeconfig", this.kubeconfig],
        {
          cwd: this.folder,
          env: { ...process.env, NODE_OPTIONS: "", HOME: this.folder },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      let count = 0;
      let stdout = "";
      let stderr = "";
      this.#onWrite = () => {
        act({ kill: (signal) => void child.kill(signal) }, ++count);
      };
      child.stdout.on("data", (chunk) => (stdout += String(chunk)));
      child.stderr.on("data", (chunk) => (stderr += String(chunk)));
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.#onWrite = undefined;
        resolve({ code, signal, stdout, stderr });
      });
    });
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.#served.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
