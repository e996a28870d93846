import { Worker } from "node:worker_threads";
import { builtFolder } from "../processes/built-folder.ts";

const longestMs = 60_000;

/** Lays out graphs in another thread, one after the other; begun when the first one is asked for. */
export class LayoutThread {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** The plain output of Graphviz for a graph in its own language. */
  plain(dot: string): Promise<string> {
    const next = this.#last.then(() => this.#ask(dot));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #ask(dot: string): Promise<string> {
    const worker = (this.#worker ??= new Worker(new URL("graph-worker.js", builtFolder())));
    // It ends with the process, whatever it is doing.
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      reject(new Error(`the graph was not laid out in ${longestMs / 1000} s`));
    }, longestMs);
    const onExit = (): void => {
      reject(new Error("the thread that lays out graphs has ended"));
    };
    worker.once("message", resolve).once("error", reject).once("exit", onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(dot);
    try {
      return await promise;
    } catch (error) {
      // Nobody knows what state it is in: the next graph gets a new one.
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off("message", resolve).off("error", reject).off("exit", onExit);
    }
  }
}
