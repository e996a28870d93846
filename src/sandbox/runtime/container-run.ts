import { createHash } from "node:crypto";
import { timestamp } from "../clock.ts";
import type { Container, ContainerState, ContainerStatus, Terminated } from "./pod-types.ts";

export interface Exit {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly containerId: string;
}

/** One container of a pod that runs in the simulation; what its status shows, and since when. */
export interface ContainerRun {
  readonly name: string;
  readonly kind: "init" | "sidecar" | "main";
  state: "waiting" | "running" | "exited";
  /** Why it waits. */
  reason: string;
  message: string;
  /** When the state was entered. */
  sinceMs: number;
  /** Before this a waiting container is not tried again. */
  notBeforeMs: number;
  containerId: string;
  exit: Exit | undefined;
  lastExit: Exit | undefined;
  restarts: number;
  /** Failures since it last ran for long, for the back-off. */
  failures: number;
  isReady: boolean;
  /** An event has said that this life of it does not become ready. */
  isUnhealthyNoted: boolean;
}

export function newContainerRun(
  { name }: Container,
  kind: ContainerRun["kind"],
  now: number,
): ContainerRun {
  return {
    name,
    kind,
    state: "waiting",
    reason: "ContainerCreating",
    message: "",
    sinceMs: now,
    notBeforeMs: now,
    containerId: "",
    exit: undefined,
    lastExit: undefined,
    restarts: 0,
    failures: 0,
    isReady: false,
    isUnhealthyNoted: false,
  };
}

/** The life of a container as its status tells it, for a sandbox that was closed in between. */
export function resumedContainerRun(
  fresh: ContainerRun,
  status: ContainerStatus | undefined,
): ContainerRun {
  if (status === undefined) return fresh;
  const { state, lastState, restartCount } = status;
  const run: ContainerRun = {
    ...fresh,
    restarts: restartCount,
    failures: restartCount,
    containerId: status.containerID ?? "",
    lastExit: exitOf(lastState.terminated),
    isReady: status.ready,
  };
  if (state.running !== undefined) {
    return { ...run, state: "running", sinceMs: Date.parse(state.running.startedAt ?? "") };
  }
  const exit = exitOf(state.terminated);
  if (exit !== undefined) return { ...run, state: "exited", exit, sinceMs: exit.finishedAtMs };
  const { reason = "", message = "" } = state.waiting ?? {};
  if (reason !== "CrashLoopBackOff") return { ...run, reason, message };
  const failures = restartCount + 1;
  const notBeforeMs = (run.lastExit?.finishedAtMs ?? fresh.sinceMs) + crashBackOffMs(failures);
  return { ...run, reason, message, failures, notBeforeMs };
}

const firstBackOffMs = 10_000;
const longestBackOffMs = 300_000;

/** How long a container waits after so many failures: the second one is the first that counts. */
export function crashBackOffMs(failures: number): number {
  return Math.min(firstBackOffMs * 2 ** Math.max(0, failures - 2), longestBackOffMs);
}

function exitOf(terminated: Terminated | undefined): Exit | undefined {
  if (terminated === undefined) return undefined;
  return {
    exitCode: terminated.exitCode,
    reason: terminated.reason ?? "",
    startedAtMs: Date.parse(terminated.startedAt ?? ""),
    finishedAtMs: Date.parse(terminated.finishedAt ?? ""),
    containerId: terminated.containerID ?? "",
  };
}

/** What the pod's status says of a container. */
export function containerStatus(run: ContainerRun, spec: Container): ContainerStatus {
  const { image = "" } = spec;
  const isStarted = run.state === "running";
  const wasCreated = run.containerId !== "";
  return {
    name: run.name,
    state: stateOf(run),
    lastState: run.lastExit === undefined ? {} : { terminated: terminatedOf(run.lastExit) },
    // An init container that did its work counts as ready ever after.
    ready: run.isReady || (run.kind === "init" && run.exit?.exitCode === 0),
    restartCount: run.restarts,
    image,
    imageID: wasCreated ? imageId(image) : "",
    ...(wasCreated ? { containerID: run.containerId } : {}),
    started: isStarted,
    ...(wasCreated && spec.resources !== undefined ? { resources: spec.resources } : {}),
    ...(wasCreated && spec.volumeMounts !== undefined ? { volumeMounts: mountsOf(spec) } : {}),
  };
}

function mountsOf({ volumeMounts = [] }: Container): readonly object[] {
  return volumeMounts.map(({ name, mountPath, readOnly }) =>
    readOnly === true
      ? { name, mountPath, readOnly, recursiveReadOnly: "Disabled" }
      : { name, mountPath },
  );
}

function stateOf(run: ContainerRun): ContainerState {
  if (run.state === "running") return { running: { startedAt: timestamp(run.sinceMs) } };
  if (run.exit !== undefined && run.state === "exited")
    return { terminated: terminatedOf(run.exit) };
  const { reason, message } = run;
  return { waiting: message === "" ? { reason } : { reason, message } };
}

function terminatedOf(exit: Exit): Terminated {
  return {
    exitCode: exit.exitCode,
    reason: exit.reason,
    startedAt: timestamp(exit.startedAtMs),
    finishedAt: timestamp(exit.finishedAtMs),
    containerID: exit.containerId,
  };
}

export function containerIdOf(podUid: string, name: string, restarts: number): string {
  return `sandbox://${digest(`${podUid}/${name}/${restarts}`)}`;
}

const imageIds = new Map<string, string>();
const mostImageIds = 10_000;

function imageId(image: string): string {
  let id = imageIds.get(image);
  if (id === undefined) {
    if (imageIds.size >= mostImageIds) imageIds.clear();
    id = `${image.split("@")[0]?.replace(/:[^/:]*$/, "") ?? ""}@sha256:${digest(image)}`;
    imageIds.set(image, id);
  }
  return id;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
