import { timestamp } from "../clock.ts";
import { transitionTime } from "./conditions.ts";
import { type ContainerRun, containerStatus } from "./container-run.ts";
import { type PodRun, isInitDone, isInitialized, mainContainers } from "./pod-run.ts";
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from "./pod-types.ts";

const managedConditions = [
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
];

export interface Addresses {
  readonly host: string;
  readonly pod: string;
}

/** The status of a pod as a kubelet would write it. */
export function podStatus(pod: Pod, run: PodRun, addresses: Addresses, now: number): PodStatus {
  const phase = phaseOf(pod, run);
  const { reason: _reason, message: _message, ...before } = pod.status ?? {};
  const generation = pod.metadata.generation;
  const statuses = (kinds: readonly string[], specs: readonly Container[]): ContainerStatus[] =>
    specs.flatMap((spec) => {
      const found = run.containers.find(
        ({ name, kind }) => name === spec.name && kinds.includes(kind),
      );
      return found === undefined ? [] : [containerStatus(found, spec)];
    });
  const inits = statuses(["init", "sidecar"], pod.spec.initContainers ?? []);
  return {
    ...before,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    ...run.failure,
    conditions: conditionsOf(pod, run, phase, timestamp(now)),
    hostIP: addresses.host,
    hostIPs: [{ ip: addresses.host }],
    ...(run.isPrepared ? { podIP: addresses.pod, podIPs: [{ ip: addresses.pod }] } : {}),
    startTime: pod.status?.startTime ?? timestamp(run.startedAtMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: statuses(["main"], pod.spec.containers),
  };
}

/** The phase that follows from the states of the containers. */
function phaseOf(pod: Pod, run: PodRun): string {
  if (run.failure !== undefined) return "Failed";
  const { restartPolicy = "Always" } = pod.spec;
  const failedInit = run.containers.some(
    ({ kind, exit, state }) => kind === "init" && state === "exited" && (exit?.exitCode ?? 0) !== 0,
  );
  if (failedInit && (restartPolicy === "Never" || run.isStopped)) return "Failed";
  if (!isInitialized(run) && !run.isStopped) return "Pending";
  const main = mainContainers(run);
  if (main.some(neverRan)) return run.isStopped ? "Failed" : "Pending";
  if (main.some(({ state }) => state !== "exited")) return "Running";
  if (restartPolicy === "Always" && !run.isStopped) return "Running";
  const isSuccess = main.every(({ exit }) => exit?.exitCode === 0);
  if (isSuccess) return "Succeeded";
  return restartPolicy === "OnFailure" && !run.isStopped ? "Running" : "Failed";
}

function neverRan({ state, lastExit }: ContainerRun): boolean {
  return state === "waiting" && lastExit === undefined;
}

interface Verdict {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

const yes: Verdict = { status: "True" };

function conditionsOf(pod: Pod, run: PodRun, phase: string, now: string): readonly PodCondition[] {
  const before = pod.status?.conditions ?? [];
  const isOver = phase === "Succeeded" || phase === "Failed";
  const containersReady = containersVerdict(run, phase);
  const verdicts: readonly (readonly [string, Verdict])[] = [
    ["PodReadyToStartContainers", { status: run.isPrepared && !isOver ? "True" : "False" }],
    ["Initialized", initializedVerdict(run, phase)],
    ["Ready", readyVerdict(pod, containersReady)],
    ["ContainersReady", containersReady],
    ["PodScheduled", yes],
  ];
  const generation = pod.metadata.generation;
  const managed = verdicts.map(([type, { status, reason, message }]): PodCondition => ({
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status,
    lastProbeTime: null,
    lastTransitionTime: transitionTime(before, { type, status }, now),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }));
  // Conditions of others, such as readiness gates, are theirs.
  return [...managed, ...before.filter(({ type }) => !managedConditions.includes(type))];
}

function initializedVerdict(run: PodRun, phase: string): Verdict {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  const open = run.containers.filter((each) => each.kind !== "main" && !isInitDone(each));
  if (open.length === 0) return yes;
  return {
    status: "False",
    reason: "ContainersNotInitialized",
    message: `containers with incomplete status: [${namesOf(open)}]`,
  };
}

function containersVerdict(run: PodRun, phase: string): Verdict {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const unready = run.containers.filter(({ kind, isReady }) => kind !== "init" && !isReady);
  if (unready.length === 0) return yes;
  return {
    status: "False",
    reason: "ContainersNotReady",
    message: `containers with unready status: [${namesOf(unready)}]`,
  };
}

function readyVerdict({ spec, status }: Pod, containersReady: Verdict): Verdict {
  if (containersReady.status !== "True") return containersReady;
  const open = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = status?.conditions?.find(({ type }) => type === conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === "True") return [];
    return [
      `the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`,
    ];
  });
  if (open.length === 0) return yes;
  return { status: "False", reason: "ReadinessGatesNotReady", message: open.join(", ") };
}

function namesOf(runs: readonly ContainerRun[]): string {
  return runs.map(({ name }) => name).join(" ");
}
