import type { KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { endedContainer, timesText, unstartable } from "./ended-container.ts";
import type { ClusterEvent } from "./events.ts";
import type { CauseFacts } from "./cause-facts.ts";
import { imageReasons, imageSummary } from "./image-cause.ts";
import { kubectlCommand } from "./kubectl-command.ts";
import { missingReference } from "./missing-reference.ts";
import { type PlacedContainer, podShape } from "./pod-shape.ts";
import { failingProbe } from "./probe-cause.ts";

/** What is known where a container is judged. */
export interface ContainerSurroundings {
  readonly pod: KubernetesObject;
  readonly facts: CauseFacts;
  readonly events: () => readonly ClusterEvent[];
}

const configReasons = ["CreateContainerConfigError", "CreateContainerError", "RunContainerError"];

/** Why a container does not do its work; undefined when nothing tells so. */
export function containerCause(
  container: PlacedContainer,
  { pod, facts, events }: ContainerSurroundings,
): Cause | undefined {
  const { spec, status, kind } = container;
  const placed = placeIn(container, pod);
  const { waiting, terminated } = status.state ?? {};
  const reason = waiting?.reason ?? "";
  if (imageReasons.includes(reason)) {
    const detail = waiting?.message ?? "";
    const isFinal = reason !== "ImageInspectError" && reason !== "RegistryUnavailable";
    const failure = /^Back-off pulling image [^:]*$/.test(detail.replace(spec.image ?? "", ""))
      ? (events().find(({ message }) => message.startsWith("Failed to pull image"))?.message ??
        detail)
      : detail;
    return placed({
      reason,
      summary: imageSummary(spec.image ?? "", reason, failure),
      evidence: failure === "" ? undefined : failure,
      action: kubectlCommand("describe", pod),
      isFinal,
    });
  }
  if (configReasons.includes(reason)) {
    const detail = waiting?.message ?? reason;
    return placed({
      reason,
      summary: unstartable(detail) ?? missingReference(detail) ?? detail,
      evidence: detail,
      action: kubectlCommand("describe", pod),
      isFinal: false,
    });
  }
  const last = terminated ?? status.lastState?.terminated;
  const hasWorked =
    kind === "init container" && (status.ready === true || terminated?.exitCode === 0);
  // The containers of a pod that may end do what they are meant to do when they end with 0.
  const mayEnd = (pod as { readonly spec?: { readonly restartPolicy?: string } }).spec
    ?.restartPolicy;
  const isFine = (mayEnd ?? "Always") !== "Always" && last?.exitCode === 0;
  const isLooping = reason === "CrashLoopBackOff";
  if (last === undefined && isLooping)
    return placed({ reason, summary: "its program ends again and again", isFinal: true });
  if (last === undefined || status.ready === true || hasWorked || isFine) return undefined;
  const restarts = status.restartCount ?? 0;
  const isDown = status.state?.running === undefined;
  const ended = endedContainer(
    spec,
    last,
    facts.logOf?.(pod, spec.name),
    restarts + (isDown ? 1 : 0),
  );
  const probe = failingProbe(spec, events(), ["liveness", "startup"]);
  // Who is killed for a probe that fails ends with a code that says nothing.
  const wasKilled = probe !== undefined && last.reason !== "OOMKilled";
  const rebooted = restarts === 0 ? "" : `, restarted ${timesText(restarts)}`;
  return placed({
    reason: reason === "" ? (last.reason ?? "Error") : reason,
    summary: wasKilled ? `${probe.summary}${rebooted}` : ended.summary,
    evidence: ended.evidence,
    since: last.finishedAt,
    action: kubectlCommand(
      "logs",
      pod,
      `-c ${spec.name}${isDown && reason === "" ? "" : " --previous"}`,
    ),
    isFinal: isLooping,
  });
}

/** Why a container that runs is not ready, as its probes say. */
export function unreadyCause(
  container: PlacedContainer,
  { pod, events }: ContainerSurroundings,
): Cause | undefined {
  const { spec, status } = container;
  if (status.state?.running === undefined || status.ready === true) return undefined;
  const probe = failingProbe(spec, events(), ["startup", "readiness", "liveness"]);
  if (probe === undefined) return undefined;
  return placeIn(
    container,
    pod,
  )({
    reason: "Unhealthy",
    summary: probe.summary,
    evidence: probe.event.message,
    since: probe.event.first,
    action: kubectlCommand("logs", pod, `-c ${spec.name}`),
    isFinal: false,
  });
}

/** Says which container of several it is, behind the cause. */
export function placeIn(
  { spec, kind }: PlacedContainer,
  pod: KubernetesObject,
): (cause: Cause) => Cause {
  const { spec: { containers = [], initContainers = [] } = {} } = podShape(pod);
  const isOnly = kind === "container" && containers.length + initContainers.length <= 1;
  return (cause) => ({
    ...cause,
    summary: isOnly ? cause.summary : `${cause.summary} (${kind} ${spec.name})`,
    about: `pod ${pod.metadata.name ?? ""}, ${kind} ${spec.name}`,
  });
}
