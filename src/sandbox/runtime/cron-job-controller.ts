import { controllerOf, type KubernetesObject } from "../../objects/index.ts";
import { timestamp } from "../clock.ts";
import { controllerReference } from "./adopt.ts";
import type { Controller } from "./controller.ts";
import { type CronSchedule, isTimeZone, nextTime, parseCronSchedule } from "./cron-schedule.ts";
import type { EventWriter } from "./event-writer.ts";
import { type Job, finishedCondition } from "./job-types.ts";
import { type Runtime, cronJobs, jobs } from "./runtime.ts";
import { putStatus } from "./put-status.ts";

interface CronJob extends KubernetesObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly jobTemplate: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec: unknown;
    };
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: CronJobStatus;
}

interface CronJobStatus {
  readonly active?: readonly ActiveJob[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

interface ActiveJob {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiVersion: string;
  readonly resourceVersion?: string;
}

const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";
const mostMissed = 100;
const longestWaitMs = 86_400_000;

/** Starts jobs when their time has come, and keeps the latest of those that ended. */
export function cronJobController(runtime: Runtime): Controller {
  const events = runtime.recorder("cronjob-controller");
  return {
    name: "cron-job",
    watches: [cronJobs, jobs],
    keysOf: ({ resource, type, stored }) => {
      if (resource === cronJobs) return type === "DELETED" ? [] : [stored];
      if (resource !== jobs) return [];
      const owner = controllerOf(stored.object);
      return owner?.kind === "CronJob" ? [{ namespace: stored.namespace, name: owner.name }] : [];
    },
    reconcile: ({ namespace, name }) => {
      const found = runtime.client.get(cronJobs, namespace, name);
      return found === undefined
        ? undefined
        : new CronSync(runtime, events, found as CronJob).sync();
    },
  };
}

class CronSync {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #cron: CronJob;
  #status: CronJobStatus;

  constructor(runtime: Runtime, events: EventWriter, cron: CronJob) {
    this.#runtime = runtime;
    this.#events = events;
    this.#cron = cron;
    this.#status = cron.status ?? {};
  }

  sync(): number | undefined {
    this.#noteFinished();
    this.#dropHistory();
    const delayMs =
      this.#cron.metadata.deletionTimestamp === undefined && this.#cron.spec.suspend !== true
        ? this.#schedule()
        : undefined;
    putStatus(this.#runtime.client, cronJobs, this.#cron, this.#status);
    return delayMs;
  }

  /** Takes jobs that ended, or were taken away, off the list of those at work. */
  #noteFinished(): void {
    const owned = this.#jobs();
    const active = (this.#status.active ?? []).filter(({ uid, name }) => {
      const job = owned.find(({ metadata }) => metadata.uid === uid);
      if (job === undefined) {
        const message = `Active job went missing: ${name}`;
        this.#events.record(this.#cron, { reason: "MissingJob", message });
        return false;
      }
      const finished = finishedCondition(job);
      if (finished === undefined) return true;
      this.#events.record(this.#cron, {
        reason: "SawCompletedJob",
        message: `Saw completed job: ${name}, condition: ${finished.type}`,
      });
      return false;
    });
    const times = owned.map(({ status }) => status?.completionTime ?? "").sort();
    const last = times.at(-1) ?? "";
    const known = this.#status.lastSuccessfulTime ?? "";
    const { active: _active, lastSuccessfulTime: _last, ...rest } = this.#status;
    const latest = last > known ? last : known;
    this.#status = {
      ...rest,
      ...(active.length === 0 ? {} : { active }),
      ...(latest === "" ? {} : { lastSuccessfulTime: latest }),
    };
  }

  #dropHistory(): void {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = this.#cron.spec;
    const limits = { Complete: successfulJobsHistoryLimit, Failed: failedJobsHistoryLimit };
    for (const [type, limit] of Object.entries(limits)) {
      const ended = this.#jobs().filter((job) => finishedCondition(job)?.type === type);
      const key = ({ status, metadata }: Job): string =>
        `${status?.startTime ?? ""}/${metadata.name ?? ""}`;
      ended.sort((left, right) => (key(left) < key(right) ? -1 : 1));
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) this.#delete(job);
    }
  }

  /** Starts what is due; returns how long until the next time. */
  #schedule(): number | undefined {
    const { spec } = this.#cron;
    const zone = spec.timeZone ?? "Etc/UTC";
    const schedule = parseCronSchedule(spec.schedule);
    if (schedule === undefined || !isTimeZone(zone)) {
      const message =
        schedule === undefined
          ? `unparseable schedule: ${JSON.stringify(spec.schedule)}`
          : `invalid timeZone: ${JSON.stringify(zone)}`;
      const reason = schedule === undefined ? "UnparseableSchedule" : "UnknownTimeZone";
      this.#events.record(this.#cron, { type: "Warning", reason, message });
      return undefined;
    }
    const due = this.#latestDue(schedule, zone);
    if (due !== undefined) this.#start(due);
    const now = this.#runtime.now();
    const next = nextTime(schedule, now, zone);
    // Timers of the system cannot be much longer.
    return next === undefined ? undefined : Math.min(next - now, longestWaitMs);
  }

  #latestDue(schedule: CronSchedule, zone: string): number | undefined {
    const { spec, metadata } = this.#cron;
    const now = this.#runtime.now();
    const since = Date.parse(this.#status.lastScheduleTime ?? metadata.creationTimestamp ?? "");
    const earliest =
      spec.startingDeadlineSeconds === undefined
        ? since
        : Math.max(since, now - spec.startingDeadlineSeconds * 1000);
    let latest: number | undefined;
    let missed = 0;
    for (
      let time = nextTime(schedule, earliest, zone);
      time !== undefined && time <= now;
      time = nextTime(schedule, time, zone)
    ) {
      latest = time;
      missed++;
      if (missed > mostMissed) {
        this.#events.record(this.#cron, {
          type: "Warning",
          reason: "TooManyMissedTimes",
          message:
            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
        });
        // Long absence: begin with the last time before now instead of counting them all.
        return this.#lastBefore(schedule, zone, now);
      }
    }
    return latest;
  }

  #lastBefore(schedule: CronSchedule, zone: string, now: number): number | undefined {
    for (let spanMs = 60_000; spanMs < longestWaitMs * 400; spanMs *= 2) {
      let latest: number | undefined;
      let time = nextTime(schedule, now - spanMs, zone);
      for (let steps = 0; time !== undefined && time <= now && steps < mostMissed; steps++) {
        latest = time;
        time = nextTime(schedule, time, zone);
      }
      if (latest !== undefined) return latest;
    }
    return undefined;
  }

  #start(dueMs: number): void {
    const { concurrencyPolicy = "Allow" } = this.#cron.spec;
    const active = this.#status.active ?? [];
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      this.#events.record(this.#cron, {
        reason: "JobAlreadyActive",
        message:
          "Not starting job because prior execution is running and concurrency policy is Forbid",
      });
      return;
    }
    if (concurrencyPolicy === "Replace") {
      for (const { uid } of active) {
        const job = this.#jobs().find(({ metadata }) => metadata.uid === uid);
        if (job !== undefined) this.#delete(job);
      }
      this.#status = { ...this.#status, active: [] };
    }
    const created = this.#create(dueMs);
    if (created === undefined) return;
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = created.metadata;
    const kept = this.#status.active ?? [];
    this.#status = {
      ...this.#status,
      active: [
        ...kept,
        { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion },
      ],
      lastScheduleTime: timestamp(dueMs),
    };
    const message = `Created job ${name}`;
    this.#events.record(this.#cron, { reason: "SuccessfulCreate", message });
  }

  #create(dueMs: number): KubernetesObject | undefined {
    const { metadata, spec } = this.#cron;
    const { namespace = "", name = "" } = metadata;
    const { labels, annotations } = spec.jobTemplate.metadata ?? {};
    const result = this.#runtime.client.tryCreate(jobs, {
      kind: "Job",
      apiVersion: "batch/v1",
      metadata: {
        name: `${name}-${Math.floor(dueMs / 60_000)}`,
        namespace,
        ...(labels === undefined ? {} : { labels }),
        annotations: { ...annotations, [scheduledAnnotation]: timestamp(dueMs) },
        ownerReferences: [controllerReference(this.#cron)],
      },
      spec: spec.jobTemplate.spec,
    });
    if ("object" in result) return result.object;
    if (result.refused.code !== 409) {
      const message = `Error creating job: ${result.refused.status.message ?? ""}`;
      this.#events.record(this.#cron, { type: "Warning", reason: "FailedCreate", message });
    }
    return undefined;
  }

  #delete({ metadata }: Job): void {
    const { namespace = "", name = "", deletionTimestamp } = metadata;
    if (deletionTimestamp !== undefined) return;
    this.#runtime.client.delete(jobs, namespace, name, { propagationPolicy: "Background" });
    this.#events.record(this.#cron, { reason: "SuccessfulDelete", message: `Deleted job ${name}` });
  }

  #jobs(): Job[] {
    return [...(this.#runtime.ownedBy(jobs, this.#cron) as readonly Job[])];
  }
}
