import type { Cluster } from "../cluster/index.ts";
import type { PodLogLine } from "./dashboard-view.ts";
import { namesOfContainers } from "./detail-of.ts";
import type { WorldComponent } from "./world.ts";

const fewestTailLines = 1_000;
const mostTailLines = 100_000;
const mostContainers = 50;
const batchMs = 50;
const largestBatch = 2_000;

/** The logs of all containers of a component, also of pods that come later, until it is closed. */
export class ComponentLogs {
  readonly #cluster: Cluster;
  readonly #send: (lines: readonly PodLogLine[]) => Promise<void>;
  readonly #stop = new AbortController();
  readonly #followed = new Set<string>();
  #waiting: PodLogLine[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  /** How many lines to begin with, of each container. */
  readonly #tailLines: number;

  constructor(
    cluster: Cluster,
    tailLines: number,
    send: (lines: readonly PodLogLine[]) => Promise<void>,
  ) {
    this.#cluster = cluster;
    this.#tailLines = Number.isInteger(tailLines)
      ? Math.max(fewestTailLines, Math.min(mostTailLines, tailLines))
      : fewestTailLines;
    this.#send = send;
  }

  /** Follows what is there and is not followed yet. */
  follow({ pods }: WorldComponent): void {
    for (const { object } of pods)
      for (const container of namesOfContainers(object)) {
        const key = `${object.metadata.uid ?? ""}/${container}`;
        if (this.#followed.has(key) || this.#followed.size >= mostContainers) continue;
        this.#followed.add(key);
        const { namespace, name = "" } = object.metadata;
        void this.#read({ namespace, name }, container).catch(() => {
          // A container that has not begun has no log yet: the next change of its pod tries again.
          this.#followed.delete(key);
        });
      }
  }

  close(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  async #read(
    pod: { readonly namespace: string | undefined; readonly name: string },
    container: string,
  ): Promise<void> {
    const options = {
      container,
      follow: true,
      timestamps: true,
      tailLines: this.#tailLines,
      signal: this.#stop.signal,
    };
    for await (const line of this.#cluster.logs(pod, options)) {
      this.#waiting.push({ pod: pod.name, container, ...timed(line) });
      this.#timer ??= setTimeout(() => {
        this.#flush();
      }, batchMs);
      if (this.#waiting.length < largestBatch) continue;
      this.#flush();
      // Who cannot read that fast is not sent more than that.
      await this.#sending;
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    if (lines.length === 0 || this.#stop.signal.aborted) return;
    this.#sending = this.#sending.then(() => this.#send(lines));
  }
}

/** Takes the time off the beginning of a line; some servers do not write it. */
function timed(line: string): Pick<PodLogLine, "time" | "text"> {
  const space = line.indexOf(" ");
  const time = space === -1 ? line : line.slice(0, space);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:\d\d)$/.test(time)
    ? { time, text: space === -1 ? "" : line.slice(space + 1) }
    : { time: "", text: line };
}
