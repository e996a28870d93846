import type { Cluster, PodLogQuery } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { containerRuns } from "./pod-facts.ts";

export interface PodLogsOptions {
  readonly cluster: Cluster;
  readonly onLine: (component: string, pod: string, line: string) => void;
  readonly signal: AbortSignal;
  /** Pods that are older than this are shown from their last lines on; milliseconds since 1970. */
  readonly since: number;
  /** What is shown of pods that are older; their last ten lines unless given. */
  readonly ofOld?: Pick<PodLogQuery, "sinceSeconds" | "tailLines"> | undefined;
  /** Told when a run has no more to show. */
  readonly onEnd?: (() => void) | undefined;
}

const linesOfOldPods = { tailLines: 10 };
const longestMemory = 10_000;

/** Shows what every run of every container writes, once. */
export class PodLogs {
  readonly #options: PodLogsOptions;
  readonly #followed = new Set<string>();
  #open = 0;

  constructor(options: PodLogsOptions) {
    this.#options = options;
  }

  /** Whether something may still come from the runs that were seen. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  look(component: string, pod: KubernetesObject): void {
    const { uid = "", namespace, name = "" } = pod.metadata;
    const created = Date.parse(pod.metadata.creationTimestamp ?? "");
    // Creation times are whole seconds.
    const isOld = created + 1_000 < this.#options.since;
    for (const { container, restarts } of containerRuns(pod)) {
      const key = `${uid}/${container}/${restarts}`;
      if (this.#followed.has(key)) continue;
      if (this.#followed.size > longestMemory) this.#followed.clear();
      this.#followed.add(key);
      void this.#follow(component, { namespace, name }, container, isOld);
    }
  }

  async #follow(
    component: string,
    pod: { readonly namespace?: string | undefined; readonly name: string },
    container: string,
    isOld: boolean,
  ): Promise<void> {
    const { cluster, onLine, onEnd, signal, ofOld = linesOfOldPods } = this.#options;
    this.#open++;
    try {
      const lines = cluster.logs(pod, {
        container,
        follow: true,
        signal,
        ...(isOld ? ofOld : {}),
      });
      for await (const line of lines) onLine(component, pod.name, line);
    } catch (error) {
      // The pod has gone, or the run is over: there is nothing more to show.
      if (!(error instanceof DiagnosticError) && !signal.aborted) throw error;
    } finally {
      this.#open--;
      onEnd?.();
    }
  }
}
