import { type ContainerRun, newContainerRun, resumedContainerRun } from "./container-run.ts";
import type { Pod } from "./pod-types.ts";

/** One pod that runs in the simulation. */
export interface PodRun {
  readonly uid: string;
  readonly startedAtMs: number;
  readonly containers: readonly ContainerRun[];
  /** Volumes are there and the network is up. */
  isPrepared: boolean;
  /** Why volumes cannot be mounted, when they cannot. */
  mountProblem: string;
  /** When they are tried again. */
  mountAgainMs: number;
  /** Set when the pod as a whole was ended. */
  failure: { readonly reason: string; readonly message: string } | undefined;
  isStopped: boolean;
}

/** Begins to run a pod, or goes on where its status says that it was. */
export function beginPodRun(pod: Pod, now: number): PodRun {
  const { initContainers = [], containers } = pod.spec;
  const { startTime, containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const runs: ContainerRun[] = [];
  for (const spec of initContainers) {
    const kind = spec.restartPolicy === "Always" ? "sidecar" : "init";
    runs.push(newContainerRun(spec, kind, now));
  }
  for (const spec of containers) runs.push(newContainerRun(spec, "main", now));
  for (const run of runs) {
    run.reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  }
  const base = {
    uid: pod.metadata.uid ?? "",
    mountProblem: "",
    mountAgainMs: 0,
    failure: undefined,
  };
  if (startTime === undefined) {
    return { ...base, startedAtMs: now, containers: runs, isPrepared: false, isStopped: false };
  }
  const known = [...initContainerStatuses, ...containerStatuses];
  const resumed = runs.map((run) =>
    resumedContainerRun(
      run,
      known.find(({ name }) => name === run.name),
    ),
  );
  return {
    ...base,
    startedAtMs: Date.parse(startTime),
    containers: resumed,
    isPrepared: resumed.some(({ containerId }) => containerId !== ""),
    isStopped: false,
  };
}

export function mainContainers({ containers }: PodRun): readonly ContainerRun[] {
  return containers.filter(({ kind }) => kind === "main");
}

/** Whether all containers that come before the main ones have done their part. */
export function isInitialized({ containers }: PodRun): boolean {
  return containers.every((run) => run.kind === "main" || isInitDone(run));
}

export function isInitDone(run: ContainerRun): boolean {
  return run.kind === "sidecar" ? run.state === "running" : run.exit?.exitCode === 0;
}
