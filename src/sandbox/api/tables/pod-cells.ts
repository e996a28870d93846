import type { KubernetesObject } from "../../../objects/index.ts";
import { ageOf, timeSince } from "./age.ts";
import { at, booleanAt, conditionAt, listAt, numberAt, textIn, textOr } from "./read-fields.ts";

/** What a row says of a pod: how many containers are ready, and why not more. */
export function podCells(pod: KubernetesObject, now: number): readonly unknown[] {
  const summary = summarise(pod);
  const total =
    listAt(pod, "spec.containers").length +
    listAt(pod, "spec.initContainers").filter(isRestartable).length;
  return [
    pod.metadata.name ?? "",
    `${summary.ready}/${total}`,
    withDeletion(pod, summary.reason),
    restartsText(summary, now),
    ageOf(pod, now),
    textOr(pod, "status.podIPs.0.ip", "<none>"),
    textOr(pod, "spec.nodeName", "<none>"),
    textOr(pod, "status.nominatedNodeName", "<none>"),
    readinessGates(pod),
  ];
}

const endings: Readonly<Record<string, string>> = {
  Succeeded: "The pod has completed successfully.",
  Failed: "The pod failed.",
};

/** A pod that has ended is marked, so that clients may leave it out. */
export function podConditions(pod: KubernetesObject): readonly unknown[] | undefined {
  const reason = textIn(pod, "status.phase");
  const message = endings[reason];
  return message === undefined
    ? undefined
    : [{ type: "Completed", status: "True", reason, message }];
}

interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

function summarise(pod: KubernetesObject): Summary {
  const initial = summariseInitContainers(pod);
  const isInitialised = conditionAt(pod, "status.conditions", "Initialized") === "True";
  return initial.isInitialising && !isInitialised ? initial : summariseContainers(pod, initial);
}

interface InitSummary extends Summary {
  readonly isInitialising: boolean;
  /** Restarts of those that run beside the containers. */
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string;
}

function summariseInitContainers(pod: KubernetesObject): InitSummary {
  const specs = listAt(pod, "spec.initContainers");
  const sidecars = new Set(specs.filter(isRestartable).map((each) => textIn(each, "name")));
  let summary: InitSummary = {
    reason: phaseReason(pod),
    ready: 0,
    restarts: 0,
    lastRestart: "",
    isInitialising: false,
    sidecarRestarts: 0,
    sidecarLastRestart: "",
  };
  for (const [index, status] of listAt(pod, "status.initContainerStatuses").entries()) {
    const isSidecar = sidecars.has(textIn(status, "name"));
    const restarts = Number(numberAt(status, "restartCount"));
    const finished = textIn(status, "lastState.terminated.finishedAt");
    summary = {
      ...summary,
      restarts: summary.restarts + restarts,
      lastRestart: later(summary.lastRestart, finished),
      ...(isSidecar
        ? {
            sidecarRestarts: summary.sidecarRestarts + restarts,
            sidecarLastRestart: later(summary.sidecarLastRestart, finished),
          }
        : {}),
    };
    if (at(status, "state.terminated") !== undefined && exitCode(status) === 0) continue;
    if (isSidecar && booleanAt(status, "started")) {
      if (booleanAt(status, "ready")) summary = { ...summary, ready: summary.ready + 1 };
      continue;
    }
    return { ...summary, reason: initReason(status, index, specs.length), isInitialising: true };
  }
  return summary;
}

function initReason(status: unknown, index: number, total: number): string {
  if (at(status, "state.terminated") !== undefined) return `Init:${terminatedReason(status)}`;
  const waiting = textIn(status, "state.waiting.reason");
  return waiting !== "" && waiting !== "PodInitializing"
    ? `Init:${waiting}`
    : `Init:${index}/${total}`;
}

function summariseContainers(pod: KubernetesObject, initial: InitSummary): Summary {
  let { reason, ready } = initial;
  let restarts = initial.sidecarRestarts;
  let lastRestart = initial.sidecarLastRestart;
  let hasRunning = false;
  let errorReason = "";
  for (const status of listAt(pod, "status.containerStatuses").toReversed()) {
    restarts += Number(numberAt(status, "restartCount"));
    lastRestart = later(lastRestart, textIn(status, "lastState.terminated.finishedAt"));
    const waiting = textIn(status, "state.waiting.reason");
    if (waiting !== "") reason = waiting;
    else if (at(status, "state.terminated") !== undefined) {
      reason = terminatedReason(status);
      if (exitCode(status) !== 0) errorReason = reason;
    } else if (booleanAt(status, "ready") && at(status, "state.running") !== undefined) {
      hasRunning = true;
      ready++;
    }
  }
  if (reason === "Completed") {
    const isReady = conditionAt(pod, "status.conditions", "Ready") === "True";
    if (hasRunning && isReady) reason = "Running";
    else if (errorReason !== "") reason = errorReason;
    else if (hasRunning) reason = "NotReady";
  }
  return { reason, ready, restarts, lastRestart };
}

function phaseReason(pod: KubernetesObject): string {
  const isGated = listAt(pod, "status.conditions").some(
    (each) =>
      textIn(each, "type") === "PodScheduled" && textIn(each, "reason") === "SchedulingGated",
  );
  if (isGated) return "SchedulingGated";
  return textOr(pod, "status.reason", textIn(pod, "status.phase"));
}

function withDeletion(pod: KubernetesObject, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (textIn(pod, "status.reason") === "NodeLost") return "Unknown";
  return textIn(pod, "status.phase") in endings ? reason : "Terminating";
}

function terminatedReason(status: unknown): string {
  const reason = textIn(status, "state.terminated.reason");
  if (reason !== "") return reason;
  const signal = numberAt(status, "state.terminated.signal");
  return signal === 0 ? `ExitCode:${exitCode(status)}` : `Signal:${signal}`;
}

function exitCode(status: unknown): number {
  return Number(numberAt(status, "state.terminated.exitCode"));
}

function restartsText({ restarts, lastRestart }: Summary, now: number): string {
  return restarts === 0 || lastRestart === ""
    ? String(restarts)
    : `${restarts} (${timeSince(lastRestart, now)} ago)`;
}

function readinessGates(pod: KubernetesObject): string {
  const gates = listAt(pod, "spec.readinessGates");
  if (gates.length === 0) return "<none>";
  const met = gates.filter(
    (gate) => conditionAt(pod, "status.conditions", textIn(gate, "conditionType")) === "True",
  );
  return `${met.length}/${gates.length}`;
}

function isRestartable(container: unknown): boolean {
  return textIn(container, "restartPolicy") === "Always";
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}
