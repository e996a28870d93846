import type { ApiContext } from "../api/api-context.ts";

export interface StoredLine {
  readonly atMs: number;
  readonly text: string;
}

export interface LogListener {
  readonly line: (line: StoredLine) => void;
  readonly end: () => void;
}

const mostLines = 5000;

/** The output of one container: of its current life, and of the one before. */
class ContainerLog {
  current: StoredLine[] = [];
  previous: readonly StoredLine[] | undefined;
  readonly listeners = new Set<LogListener>();
  isEnded = false;
}

/** What containers have written, in memory and bounded; gone with their pods. */
export class PodLogStore {
  readonly #pods = new Map<string, Map<string, ContainerLog>>();

  /** A container starts again: what it wrote becomes the previous log. */
  begin(uid: string, container: string): void {
    const log = this.#log(uid, container);
    if (log.current.length > 0) log.previous = log.current;
    log.current = [];
    log.isEnded = false;
  }

  append(uid: string, container: string, line: StoredLine): void {
    const log = this.#log(uid, container);
    log.current.push(line);
    if (log.current.length > mostLines) log.current = log.current.slice(mostLines / 2);
    for (const listener of log.listeners) listener.line(line);
  }

  /** The container has ended: whoever follows its log is told that no more will come. */
  end(uid: string, container: string): void {
    const log = this.#log(uid, container);
    log.isEnded = true;
    for (const listener of log.listeners) listener.end();
    log.listeners.clear();
  }

  lines(uid: string, container: string, previous: boolean): readonly StoredLine[] | undefined {
    const log = this.#pods.get(uid)?.get(container);
    return previous ? log?.previous : log?.current;
  }

  /** Tells of every further line; undefined when none will come. */
  follow(uid: string, container: string, listener: LogListener): (() => void) | undefined {
    const log = this.#log(uid, container);
    if (log.isEnded) return undefined;
    log.listeners.add(listener);
    return () => log.listeners.delete(listener);
  }

  forget(uid: string): void {
    for (const log of this.#pods.get(uid)?.values() ?? []) {
      for (const listener of log.listeners) listener.end();
    }
    this.#pods.delete(uid);
  }

  #log(uid: string, container: string): ContainerLog {
    let logs = this.#pods.get(uid);
    if (logs === undefined) {
      logs = new Map();
      this.#pods.set(uid, logs);
    }
    let log = logs.get(container);
    if (log === undefined) {
      log = new ContainerLog();
      logs.set(container, log);
    }
    return log;
  }
}

const stores = new WeakMap<object, PodLogStore>();

/** The logs of a sandbox: one store for each, shared by the kubelet and those who read. */
export function podLogStoreOf({ store }: Pick<ApiContext, "store">): PodLogStore {
  let logs = stores.get(store);
  if (logs === undefined) {
    logs = new PodLogStore();
    stores.set(store, logs);
  }
  return logs;
}
