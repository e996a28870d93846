import type { KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { conditionOf, conditionsOf } from "./conditions.ts";
import { containerCause, placeIn, unreadyCause } from "./container-cause.ts";
import { endedContainer } from "./ended-container.ts";
import { type ClusterEvent, eventsOf } from "./events.ts";
import type { CauseFacts } from "./cause-facts.ts";
import { kubectlCommand } from "./kubectl-command.ts";
import { mountCause } from "./mount-cause.ts";
import { type PlacedContainer, placedContainers, podShape } from "./pod-shape.ts";
import { firstSentence, schedulingSummary } from "./scheduling-cause.ts";

/** Why a pod does not do its work; undefined while it only begins, or when all is well. */
export function podCause(pod: KubernetesObject, facts: CauseFacts): Cause | undefined {
  const { status = {} } = podShape(pod);
  if (status.phase === "Succeeded") return undefined;
  if (status.phase === "Failed") return failedPod(pod, facts);
  const conditions = conditionsOf(pod);
  if (status.phase === "Running" && conditionOf(conditions, "Ready")?.status === "True")
    return undefined;
  let found: readonly ClusterEvent[] | undefined;
  const events = (): readonly ClusterEvent[] => (found ??= eventsOf(pod, facts));
  const surroundings = { pod, facts, events };
  const containers = placedContainers(pod);
  return (
    firstOf(containers, (each) => containerCause(each, surroundings)) ??
    unscheduled(pod) ??
    runningInit(pod, containers) ??
    firstOf(containers, (each) => unreadyCause(each, surroundings)) ??
    unmetGates(pod) ??
    (status.phase === "Running" ? lostNode(pod, events) : undefined) ??
    beginning(pod, events)
  );
}

function firstOf<T>(items: readonly T[], look: (item: T) => Cause | undefined): Cause | undefined {
  const causes = items.flatMap((item) => look(item) ?? []);
  return causes.find(({ isFinal }) => isFinal) ?? causes[0];
}

const podReasons: Readonly<Record<string, string>> = {
  Evicted: "evicted by its node",
  Preempting: "preempted by a pod of higher priority",
  NodeLost: "its node does not answer",
  NodeShutdown: "its node was shut down",
  EndedState: "its node was shut down",
  Shutdown: "its node was shut down",
  NodeAffinity: "its node no longer matches the node selector or affinity",
  UnexpectedAdmissionError: "its node does not admit it",
  OutOfcpu: "its node has no CPU left",
  OutOfmemory: "its node has no memory left",
  OutOfpods: "its node runs as many pods as allowed",
};

const disruptions: Readonly<Record<string, string>> = {
  PreemptionByScheduler: "preempted by a pod of higher priority",
  DeletionByTaintManager: "deleted from a node with a taint that is not tolerated",
  EvictionByEvictionAPI: "evicted on request, for example by a drain of its node",
  DeletionByPodGC: "its node is gone",
  TerminationByKubelet: "stopped by its node",
};

function failedPod(pod: KubernetesObject, facts: CauseFacts): Cause {
  const { spec = {}, status = {} } = podShape(pod);
  const action = kubectlCommand("describe", pod);
  const about = `pod ${pod.metadata.name ?? ""}`;
  const reason = status.reason ?? "Failed";
  const message = status.message ?? "";
  if (reason === "DeadlineExceeded") {
    const seconds = spec.activeDeadlineSeconds;
    const summary = `ran longer than its deadline${seconds === undefined ? "" : ` of ${seconds} s`}`;
    return { reason, summary, evidence: message, action, about, isFinal: true };
  }
  const disruption = conditionOf(conditionsOf(pod), "DisruptionTarget");
  const words =
    podReasons[reason] ??
    (disruption?.status === "True" ? disruptions[disruption.reason ?? ""] : undefined);
  if (words !== undefined) {
    const detail = firstSentence(message)
      .trim()
      .replace(/^The node was/, "the node was");
    const summary = detail === "" || reason !== "Evicted" ? words : `${words}: ${detail}`;
    return {
      reason,
      summary,
      evidence: message === "" ? disruption?.message : message,
      action,
      about,
      isFinal: true,
    };
  }
  for (const container of placedContainers(pod)) {
    const ended = container.status.state?.terminated;
    if (ended === undefined || ended.exitCode === 0) continue;
    const log = facts.logOf?.(pod, container.spec.name);
    const { summary, evidence } = endedContainer(container.spec, ended, log, 1);
    return placeIn(
      container,
      pod,
    )({
      reason,
      summary,
      evidence,
      since: ended.finishedAt,
      action: kubectlCommand("logs", pod, `-c ${container.spec.name}`),
      isFinal: true,
    });
  }
  return {
    reason,
    summary: message === "" ? "the pod has failed" : message,
    action,
    about,
    isFinal: true,
  };
}

/** A node that went away leaves its pods as they last were. */
function lostNode(pod: KubernetesObject, events: () => readonly ClusterEvent[]): Cause | undefined {
  const { spec = {}, status = {} } = podShape(pod);
  if (
    status.reason !== "NodeLost" &&
    placedContainers(pod).some((each) => each.status.ready !== true)
  )
    return undefined;
  const event = events().find(({ reason }) => reason === "NodeNotReady");
  if (event === undefined && status.reason !== "NodeLost") return undefined;
  const node = spec.nodeName ?? "";
  return {
    reason: "NodeLost",
    summary: `node ${node} does not answer`,
    evidence: status.message ?? event?.message,
    since: conditionOf(conditionsOf(pod), "Ready")?.lastTransitionTime,
    action: `kubectl describe node/${node}`,
    about: `pod ${pod.metadata.name ?? ""}`,
    isFinal: false,
  };
}

function unscheduled(pod: KubernetesObject): Cause | undefined {
  const scheduled = conditionOf(conditionsOf(pod), "PodScheduled");
  if (scheduled?.status !== "False") return undefined;
  const gates = scheduled.reason === "SchedulingGated";
  if (!gates && scheduled.reason !== "Unschedulable") return undefined;
  const message = scheduled.message ?? "";
  return {
    reason: scheduled.reason,
    summary: gates ? "waiting for its scheduling gates to be removed" : schedulingSummary(message),
    evidence: message === "" ? undefined : message,
    since: scheduled.lastTransitionTime,
    action: kubectlCommand("describe", pod),
    about: `pod ${pod.metadata.name ?? ""}`,
    isFinal: false,
  };
}

/** An init container that runs on keeps all others from beginning. */
function runningInit(
  pod: KubernetesObject,
  containers: readonly PlacedContainer[],
): Cause | undefined {
  const running = containers.find(
    ({ kind, status }) => kind === "init container" && status.state?.running !== undefined,
  );
  if (running === undefined) return undefined;
  return {
    reason: "Initializing",
    summary: `waiting for init container ${running.spec.name} to end`,
    since: running.status.state?.running?.startedAt,
    action: kubectlCommand("logs", pod, `-c ${running.spec.name}`),
    about: `pod ${pod.metadata.name ?? ""}, init container ${running.spec.name}`,
    isFinal: false,
  };
}

function unmetGates(pod: KubernetesObject): Cause | undefined {
  const ready = conditionOf(conditionsOf(pod), "Ready");
  if (ready?.reason !== "ReadinessGatesNotReady") return undefined;
  const gates = [...(ready.message ?? "").matchAll(/readiness gate "([^"]+)"/g)].map(
    ([, name]) => name,
  );
  return {
    reason: ready.reason,
    summary: `waiting for the readiness ${gates.length === 1 ? "gate" : "gates"} ${gates.join(", ")}`,
    evidence: ready.message,
    since: ready.lastTransitionTime,
    action: kubectlCommand("describe", pod),
    about: `pod ${pod.metadata.name ?? ""}`,
    isFinal: false,
  };
}

/** What a pod that has only begun waits for, as its events say. */
function beginning(
  pod: KubernetesObject,
  events: () => readonly ClusterEvent[],
): Cause | undefined {
  const { status = {} } = podShape(pod);
  if (status.phase !== "Pending") return undefined;
  const found = events();
  const place = {
    action: kubectlCommand("describe", pod),
    about: `pod ${pod.metadata.name ?? ""}`,
  };
  const mount = mountCause(found);
  if (mount !== undefined) return { ...mount, ...place };
  const network = found.find(({ reason }) => reason === "FailedCreatePodSandBox");
  if (network !== undefined)
    return {
      ...place,
      reason: network.reason,
      summary: `its node cannot set up the pod: ${network.message.split(": ").at(-1) ?? ""}`,
      evidence: network.message,
      since: network.first,
      isFinal: false,
    };
  const pulling = found.find(({ reason }) => reason === "Pulling" || reason === "Pulled");
  const image = /Pulling image "([^"]+)"/.exec(pulling?.message ?? "")?.[1];
  if (image === undefined) return undefined;
  return {
    ...place,
    reason: "Pulling",
    summary: `pulling image ${image}`,
    since: pulling?.last,
    isFinal: false,
  };
}
