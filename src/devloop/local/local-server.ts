import type { LocalResource } from "../../sources/tiltfile/index.ts";
import { type LocalProcess, startLocalProcess } from "./local-process.ts";
import { runProbe } from "./probe.ts";

export interface LocalServerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: string) => void;
  readonly onRuntime: (status: "ok" | "pending" | "error", reason: string, message: string) => void;
}

/** The server of a local component: runs until it is stopped or started anew. */
export class LocalServer {
  readonly #options: LocalServerOptions;
  #process: LocalProcess | undefined;
  #stopping = new AbortController();

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  /** Ends the one that runs and starts another. */
  async start({ serve, readinessProbe }: LocalResource): Promise<void> {
    await this.stop();
    if (serve === undefined) return;
    const { environment, onLine, onRuntime } = this.#options;
    const stopping = new AbortController();
    this.#stopping = stopping;
    const process = startLocalProcess(serve, environment, onLine);
    this.#process = process;
    if (readinessProbe === undefined) {
      onRuntime("ok", "Running", "its server runs");
    } else {
      onRuntime("pending", "NotReady", "its readiness probe has not succeeded yet");
      void runProbe(readinessProbe, {
        directory: serve.directory,
        environment: { ...environment, ...serve.environment },
        signal: stopping.signal,
        onVerdict: (isReady, message) => {
          onRuntime(isReady ? "ok" : "pending", isReady ? "Ready" : "NotReady", message);
        },
      });
    }
    void process.ended.then(({ message }) => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      onRuntime("error", "ServerEnded", `its server is not running: ${message}`);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#process?.stop();
    this.#process = undefined;
  }
}
