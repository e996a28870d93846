import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { formatIndexes, parseIndexes } from "./completed-indexes.ts";
import { findCondition } from "./conditions.ts";
import type { Controller } from "./controller.ts";
import type { EventWriter } from "./event-writer.ts";
import { createJobPod } from "./job-pod.ts";
import {
  type Job,
  type JobCondition,
  type JobStatus,
  finishedCondition,
  indexOf,
  isIndexed,
  trackingFinalizer,
} from "./job-types.ts";
import { isActive, isFinished, isPodReady, isPodTerminating } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import { rankForDeletion } from "./rank-for-deletion.ts";
import { positive } from "./replica-set-controller.ts";
import { type Runtime, jobs, pods } from "./runtime.ts";
import { putStatus } from "./put-status.ts";

const firstBackOffMs = 10_000;
const longestBackOffMs = 600_000;
const retryMs = 5000;

/** Runs jobs to their end. */
export function jobController(runtime: Runtime): Controller {
  const events = runtime.recorder("job-controller");
  return {
    name: "job",
    watches: [jobs, pods],
    keysOf: ({ resource, type, stored }) => {
      if (resource === jobs) return type === "DELETED" ? [] : [stored];
      if (resource !== pods) return [];
      const owner = controllerOf(stored.object);
      return owner?.kind === "Job" ? [{ namespace: stored.namespace, name: owner.name }] : [];
    },
    reconcile: ({ namespace, name }) => {
      const job = runtime.client.get(jobs, namespace, name);
      return job === undefined ? undefined : new JobSync(runtime, events, job as Job).sync();
    },
  };
}

class JobSync {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  #job: Job;

  constructor(runtime: Runtime, events: EventWriter, job: Job) {
    this.#runtime = runtime;
    this.#events = events;
    this.#job = job;
  }

  sync(): number | undefined {
    const finished = finishedCondition(this.#job);
    if (finished !== undefined) {
      this.#release(this.#pods());
      return this.#expire(finished);
    }
    if (this.#job.metadata.deletionTimestamp !== undefined) {
      this.#release(this.#pods().filter((pod) => isFinished(pod) || isPodTerminating(pod)));
      return undefined;
    }
    this.#countFinished();
    const verdict = this.#verdict();
    if (verdict !== undefined) return this.#finish(verdict);
    const delayMs = this.#job.spec.suspend === true ? this.#suspend() : this.#scale();
    this.#write(this.#counted(this.#job.status ?? {}));
    return earliest(delayMs, this.#untilDeadlineMs());
  }

  /**
   * Adds pods that ended to the counts, each exactly once whenever the sandbox is stopped: first they
   * are written down, then let go, then counted.
   */
  #countFinished(): void {
    const before = this.#job.status ?? {};
    const held = this.#pods().filter((pod) => isHeld(pod) && isFinished(pod));
    const noted = before.uncountedTerminatedPods ?? {};
    if (held.length === 0 && noted.succeeded === undefined && noted.failed === undefined) return;
    const uids = (phase: string, known: readonly string[] = []): readonly string[] => [
      ...new Set([
        ...known,
        ...held
          .filter(({ status }) => status?.phase === phase)
          .map(({ metadata }) => metadata.uid ?? ""),
      ]),
    ];
    const succeeded = uids("Succeeded", noted.succeeded);
    const failed = uids("Failed", noted.failed);
    const done = new Set(parseIndexes(before.completedIndexes));
    let repeated = 0;
    for (const pod of held) {
      if (pod.status?.phase !== "Succeeded" || !isIndexed(this.#job)) continue;
      if (done.has(indexOf(pod))) repeated++;
      done.add(indexOf(pod));
    }
    const uncountedTerminatedPods = {
      ...(succeeded.length === 0 ? {} : { succeeded }),
      ...(failed.length === 0 ? {} : { failed }),
    };
    this.#write({ ...this.#counted(before), uncountedTerminatedPods });
    this.#release(held);
    this.#write({
      ...this.#counted(before),
      ...positive("succeeded", (before.succeeded ?? 0) + succeeded.length - repeated),
      ...positive("failed", (before.failed ?? 0) + failed.length),
      ...(isIndexed(this.#job) && done.size > 0 ? { completedIndexes: formatIndexes(done) } : {}),
      uncountedTerminatedPods: {},
    });
  }

  /** Whether the job is over, and how. */
  #verdict(): Verdict | undefined {
    const { spec, status = {} } = this.#job;
    const pending = findCondition(status.conditions, "FailureTarget");
    if (pending?.status === "True") {
      return { isSuccess: false, reason: pending.reason ?? "", message: pending.message ?? "" };
    }
    const restarts = spec.template.spec?.restartPolicy === "OnFailure" ? this.#restarts() : 0;
    if ((status.failed ?? 0) + restarts > (spec.backoffLimit ?? 6)) {
      return {
        isSuccess: false,
        reason: "BackoffLimitExceeded",
        message: "Job has reached the specified backoff limit",
      };
    }
    if ((this.#untilDeadlineMs() ?? 1) <= 0) {
      return {
        isSuccess: false,
        reason: "DeadlineExceeded",
        message: "Job was active longer than specified deadline",
      };
    }
    const succeeded = status.succeeded ?? 0;
    const active = this.#pods().filter(isActive).length;
    const isDone =
      spec.completions === undefined
        ? succeeded > 0 && active === 0
        : succeeded >= spec.completions;
    if (!isDone || spec.suspend === true) return undefined;
    return {
      isSuccess: true,
      reason: "CompletionsReached",
      message: "Reached expected number of succeeded pods",
    };
  }

  /** Ends the job: first what decided it is said, then, when no pod is left, that it is over. */
  #finish({ isSuccess, reason, message }: Verdict): number | undefined {
    for (const pod of this.#pods().filter(isActive)) this.#deletePod(pod);
    this.#release(this.#pods().filter(isPodTerminating));
    const status = this.#counted(this.#job.status ?? {});
    const first = { type: isSuccess ? "SuccessCriteriaMet" : "FailureTarget", reason, message };
    const decided = this.#withCondition(status.conditions, first);
    const remaining = this.#pods().filter((pod) => !isFinished(pod));
    if (remaining.length > 0) {
      this.#write({ ...status, conditions: decided });
      return undefined;
    }
    const last = { type: isSuccess ? "Complete" : "Failed", reason, message };
    const { active: _active, ...rest } = status;
    this.#write({
      ...rest,
      conditions: this.#withCondition(decided, last),
      ...(isSuccess ? { completionTime: this.#runtime.timestamp() } : {}),
    });
    if (isSuccess)
      this.#events.record(this.#job, { reason: "Completed", message: "Job completed" });
    else this.#events.record(this.#job, { type: "Warning", reason, message });
    const finished = finishedCondition(this.#job);
    return finished === undefined ? undefined : this.#expire(finished);
  }

  #suspend(): undefined {
    const { status = {} } = this.#job;
    for (const pod of this.#pods().filter(isActive)) this.#deletePod(pod);
    this.#release(this.#pods().filter(isPodTerminating));
    if (findCondition(status.conditions, "Suspended")?.status === "True") return;
    const { startTime: _start, ...rest } = status;
    const said = { type: "Suspended", reason: "JobSuspended", message: "Job suspended" };
    this.#write({ ...rest, conditions: this.#withCondition(rest.conditions, said) });
    this.#events.record(this.#job, { reason: "Suspended", message: "Job suspended" });
  }

  /** Keeps as many pods at work as the job allows; returns when to look again. */
  #scale(): number | undefined {
    this.#start();
    const { spec, status = {} } = this.#job;
    const active = this.#pods().filter(isActive);
    const parallelism = spec.parallelism ?? 1;
    const succeeded = status.succeeded ?? 0;
    const open =
      spec.completions === undefined
        ? succeeded > 0
          ? active.length
          : parallelism
        : spec.completions - succeeded;
    const wanted = Math.max(0, Math.min(parallelism, open));
    const surplus = rankForDeletion(active).slice(0, Math.max(0, active.length - wanted));
    for (const pod of surplus) this.#deletePod(pod);
    const missing = wanted - active.length;
    if (missing <= 0) return undefined;
    const waitMs = this.#backOffMs();
    if (waitMs > 0) return waitMs;
    return this.#create(missing, active) ? undefined : retryMs;
  }

  #start(): void {
    const { status = {} } = this.#job;
    if (findCondition(status.conditions, "Suspended")?.status === "True") {
      const said = { type: "Suspended", reason: "JobResumed", message: "Job resumed" };
      const conditions = this.#withCondition(status.conditions, said, "False");
      this.#write({ ...status, startTime: this.#runtime.timestamp(), conditions });
      this.#events.record(this.#job, { reason: "Resumed", message: "Job resumed" });
    } else if (status.startTime === undefined) {
      const started = { ...status, startTime: this.#runtime.timestamp() };
      this.#job = { ...this.#job, status: started };
    }
  }

  #create(missing: number, active: readonly Pod[]): boolean {
    const { spec, status = {} } = this.#job;
    const taken = new Set([...parseIndexes(status.completedIndexes), ...active.map(indexOf)]);
    let index = 0;
    for (let left = missing; left > 0; left--) {
      while (taken.has(index)) index++;
      if (isIndexed(this.#job) && index >= (spec.completions ?? 0)) return true;
      const created = createJobPod(this.#runtime, this.#events, this.#job, index);
      if (!created) return false;
      taken.add(index);
    }
    return true;
  }

  /** After failures new pods wait, twice as long each time. */
  #backOffMs(): number {
    const failed = this.#pods().filter(({ status }) => status?.phase === "Failed");
    if (failed.length === 0) return 0;
    const last = Math.max(...failed.map(finishedAtMs));
    const backOff = Math.min(firstBackOffMs * 2 ** (failed.length - 1), longestBackOffMs);
    return Math.max(0, last + backOff - this.#runtime.now());
  }

  #restarts(): number {
    return this.#pods()
      .filter(isActive)
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .reduce((sum, { restartCount }) => sum + restartCount, 0);
  }

  #untilDeadlineMs(): number | undefined {
    const { activeDeadlineSeconds, suspend } = this.#job.spec;
    const { startTime } = this.#job.status ?? {};
    if (activeDeadlineSeconds === undefined || startTime === undefined || suspend === true)
      return undefined;
    return Date.parse(startTime) + activeDeadlineSeconds * 1000 - this.#runtime.now();
  }

  #expire({ lastTransitionTime = "" }: JobCondition): number | undefined {
    const { ttlSecondsAfterFinished } = this.#job.spec;
    if (ttlSecondsAfterFinished === undefined) return undefined;
    const leftMs =
      Date.parse(lastTransitionTime) + ttlSecondsAfterFinished * 1000 - this.#runtime.now();
    if (leftMs > 0) return leftMs;
    const { namespace = "", name = "", deletionTimestamp } = this.#job.metadata;
    if (deletionTimestamp === undefined) {
      this.#runtime.client.delete(jobs, namespace, name, { propagationPolicy: "Foreground" });
    }
    return undefined;
  }

  #counted(status: JobStatus): JobStatus {
    const { active: _active, ...rest } = status;
    const owned = this.#pods();
    const active = owned.filter(isActive);
    return {
      ...rest,
      ...positive("active", active.length),
      ready: active.filter(isPodReady).length,
      terminating: owned.filter((pod) => isPodTerminating(pod) && !isFinished(pod)).length,
      uncountedTerminatedPods: status.uncountedTerminatedPods ?? {},
    };
  }

  #withCondition(
    before: readonly JobCondition[] = [],
    condition: { readonly type: string; readonly reason: string; readonly message: string },
    status = "True",
  ): readonly JobCondition[] {
    const earlier = findCondition(before, condition.type);
    if (earlier?.status === status) return before;
    const now = this.#runtime.timestamp();
    const { type, reason, message } = condition;
    const added = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
    return [...before.filter((each) => each.type !== type), added];
  }

  #deletePod(pod: Pod): void {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    this.#release([pod]);
    this.#runtime.client.delete(pods, namespace, name, { preconditions: { uid } });
    const message = `Deleted pod: ${name}`;
    this.#events.record(this.#job, { reason: "SuccessfulDelete", message });
  }

  #release(held: readonly Pod[]): void {
    for (const { metadata } of held.filter(isHeld)) {
      const { namespace = "", name = "" } = metadata;
      this.#runtime.client.update(pods, namespace, name, withoutFinalizer);
    }
  }

  #write(status: JobStatus): void {
    const { namespace = "", name = "" } = this.#job.metadata;
    const live = this.#runtime.client.get(jobs, namespace, name);
    if (live !== undefined) putStatus(this.#runtime.client, jobs, live, status);
    this.#job = { ...this.#job, status };
  }

  #pods(): readonly Pod[] {
    return this.#runtime.podsOwnedBy(this.#job);
  }
}

interface Verdict {
  readonly isSuccess: boolean;
  readonly reason: string;
  readonly message: string;
}

function isHeld({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

function withoutFinalizer(live: KubernetesObject): KubernetesObject {
  const { finalizers = [], ...metadata } = live.metadata;
  const kept = finalizers.filter((each) => each !== trackingFinalizer);
  return { ...live, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } };
}

function finishedAtMs({ status, metadata }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) =>
    Date.parse(state.terminated?.finishedAt ?? ""),
  );
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? Date.parse(metadata.creationTimestamp ?? "") : Math.max(...known);
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : Math.min(left, right);
}
