import { controllerOf } from "../../objects/index.ts";
import type { ContainerRun } from "./container-run.ts";
import type { Pod, Probe } from "./pod-types.ts";
import { troubleOf } from "./trouble.ts";

/** How one start of a container goes. */
export interface ContainerLife {
  /** After how long it ends by itself; undefined: never. */
  readonly endsAfterMs: number | undefined;
  readonly exitCode: number;
  readonly exitReason: string;
  /** The last line of its log. */
  readonly lastWords: string | undefined;
  /** After how long it is ready; undefined: never. */
  readonly readyAfterMs: number | undefined;
}

const initMs = 10;
const crashMs = 20;
const completesAfterMs = 50;
const errorCode = 1;
const killedCode = 137;

/**
 * Containers run until they are stopped, except for those whose work is to end: init containers, those
 * of jobs and of Helm's hooks, and those that were made to fail.
 */
export function containerLife(pod: Pod, { kind, name }: ContainerRun): ContainerLife {
  if (kind === "init") return { ...completes, endsAfterMs: initMs };
  const trouble = troubleOf(pod);
  const delayMs = trouble.kind === "slow" ? trouble.delayMs : 0;
  const readyAfterMs = Math.max(delayMs, probeDelayMs(pod, name));
  if (kind === "main") {
    if (trouble.kind === "crash-loop")
      return { ...crashes, exitCode: errorCode, exitReason: "Error" };
    if (trouble.kind === "oom")
      return { ...crashes, exitCode: killedCode, exitReason: "OOMKilled", lastWords: "Killed" };
    if (isToComplete(pod))
      return { ...completes, endsAfterMs: completesAfterMs + delayMs, readyAfterMs };
  }
  return {
    endsAfterMs: undefined,
    exitCode: 0,
    exitReason: "Completed",
    lastWords: undefined,
    readyAfterMs: trouble.kind === "never-ready" ? undefined : readyAfterMs,
  };
}

/** Probes succeed, as early as they may and as often as they must. */
function probeDelayMs({ spec }: Pod, name: string): number {
  const all = [...(spec.initContainers ?? []), ...spec.containers];
  const { readinessProbe, startupProbe } = all.find((each) => each.name === name) ?? {};
  return 1000 * Math.max(secondsOf(startupProbe), secondsOf(readinessProbe));
}

function secondsOf(probe: Probe | undefined): number {
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1 } = probe ?? {};
  return initialDelaySeconds + (successThreshold - 1) * periodSeconds;
}

const completes: ContainerLife = {
  endsAfterMs: completesAfterMs,
  exitCode: 0,
  exitReason: "Completed",
  lastWords: "done",
  readyAfterMs: 0,
};

const crashes: ContainerLife = {
  endsAfterMs: crashMs,
  exitCode: errorCode,
  exitReason: "Error",
  lastWords: "fatal: simulated crash",
  readyAfterMs: undefined,
};

function isToComplete(pod: Pod): boolean {
  if ((pod.spec.restartPolicy ?? "Always") === "Always") return false;
  const isHook = pod.metadata.annotations?.["helm.sh/hook"] !== undefined;
  return isHook || controllerOf(pod)?.kind === "Job";
}
