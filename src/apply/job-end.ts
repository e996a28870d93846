import type { Cluster } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { current, failed, inProgress, type Readiness } from "../readiness/index.ts";

/** How long the answer to the question for events may take. */
const askMs = 10_000;

/** How a Job ended that is gone, because it asked to be deleted when it has finished; told by its events. */
export class JobEnd {
  readonly #cluster: Cluster;
  readonly #job: KubernetesObject;
  readonly #onAnswer: () => void;
  #isAsked = false;
  #answer: Readiness = inProgress("Gone", "Job is no longer there; its events are being read");

  constructor(cluster: Cluster, job: KubernetesObject, onAnswer: () => void) {
    this.#cluster = cluster;
    this.#job = job;
    this.#onAnswer = onAnswer;
  }

  /** Undefined for what does not delete itself. Asks once; the answer may come later. */
  verdict(): Readiness | undefined {
    const { ttlSecondsAfterFinished } = (this.#job["spec"] ?? {}) as {
      ttlSecondsAfterFinished?: number;
    };
    if (this.#job.kind !== "Job" || ttlSecondsAfterFinished === undefined) return undefined;
    if (!this.#isAsked) {
      this.#isAsked = true;
      void this.#ask();
    }
    return this.#answer;
  }

  async #ask(): Promise<void> {
    this.#answer = await this.#readEvents();
    this.#onAnswer();
  }

  async #readEvents(): Promise<Readiness> {
    const { namespace, uid = "" } = this.#job.metadata;
    try {
      const { items } = await this.#cluster.list(
        { apiVersion: "v1", kind: "Event" },
        { namespace, fieldSelector: `involvedObject.uid=${uid}`, timeoutMs: askMs },
      );
      return endToldBy(items) ?? unknownEnd;
    } catch (error) {
      if (error instanceof DiagnosticError) return unknownEnd;
      throw error;
    }
  }
}

const unknownEnd = inProgress("Gone", "Job is no longer there, and no event tells how it ended");
/** What the controller records when it gives a Job up. */
const failures = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
  "PodFailurePolicy",
];

function endToldBy(events: readonly KubernetesObject[]): Readiness | undefined {
  for (const event of events) {
    const { reason, message } = event as { readonly reason?: string; readonly message?: string };
    if (reason === "Completed") return current("Job has completed, and is deleted", "Completed");
    if (reason !== undefined && failures.includes(reason))
      return failed(reason, message ?? "Job has failed");
  }
  return undefined;
}
