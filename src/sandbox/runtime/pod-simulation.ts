import type { KubernetesObject } from "../../objects/index.ts";
import { type ConfigLookup, environmentProblem, mountProblem } from "./config-references.ts";
import { containerEnvironment } from "./container-environment.ts";
import { type ContainerLife, containerLife } from "./container-life.ts";
import { processIdOf } from "./container-process.ts";
import { type ContainerRun, containerIdOf, crashBackOffMs } from "./container-run.ts";
import { goDuration } from "./go-duration.ts";
import type { EventNote } from "./event-writer.ts";
import type { LocalProcesses } from "./local-processes.ts";
import type { PodLogStore } from "./pod-log-store.ts";
import { type PodRun, isInitDone } from "./pod-run.ts";
import type { Container, Pod } from "./pod-types.ts";
import { troubleOf } from "./trouble.ts";

export interface SimulationSurroundings {
  readonly now: () => number;
  readonly logs: PodLogStore;
  readonly record: (pod: Pod, note: EventNote) => void;
  readonly readConfig: (namespace: string) => ConfigLookup;
  readonly processes: LocalProcesses;
  /** Whether containers may be backed by local processes. */
  readonly allowProcesses: boolean;
  /** Has a pod looked at again, because its process ended. */
  readonly wake: (pod: KubernetesObject) => void;
}

const runAnnotation = "sandbox.keelson.dev/run";
const prepareMs = 10;
const restartMs = 10;
const errorShownMs = 1000;
const forgivenAfterMs = 600_000;
const retryConfigMs = 10_000;

/** Moves pods and their containers on, as time passes. */
export class PodSimulation {
  readonly #around: SimulationSurroundings;
  readonly #pulled = new Set<string>();
  readonly #processes: LocalProcesses;

  constructor(around: SimulationSurroundings) {
    this.#around = around;
    this.#processes = around.processes;
  }

  /** Brings a pod to where it should be now. Returns after how long something is due again. */
  advance(pod: Pod, run: PodRun): number | undefined {
    const deadline = this.#untilDeadline(pod, run);
    if (deadline !== undefined && deadline <= 0) {
      this.stop(pod, run, killed);
      run.failure = {
        reason: "DeadlineExceeded",
        message: "Pod was active on the node longer than the specified deadline",
      };
      return undefined;
    }
    return earliest(deadline, this.#advanceContainers(pod, run));
  }

  /** Ends whatever still runs. */
  stop(pod: Pod, run: PodRun, exit: StopExit = stopped): void {
    for (const each of run.containers) {
      if (each.state === "running") {
        this.#around.record(pod, {
          reason: "Killing",
          message: `Stopping container ${each.name}`,
          fieldPath: fieldPath(each),
        });
        this.#exit(run, each, exit);
      }
      this.#processes.stop(processId(run, each));
    }
    run.isStopped = true;
  }

  /** Ends all local processes; their pods stay as they are. */
  stopProcesses(): void {
    this.#processes.stopAll();
  }

  #untilDeadline({ spec }: Pod, run: PodRun): number | undefined {
    if (spec.activeDeadlineSeconds === undefined) return undefined;
    return run.startedAtMs + spec.activeDeadlineSeconds * 1000 - this.#around.now();
  }

  #advanceContainers(pod: Pod, run: PodRun): number | undefined {
    if (!run.isPrepared) {
      const delay = this.#prepare(pod, run);
      if (delay !== undefined) return delay;
    }
    let due: number | undefined;
    for (const each of run.containers) {
      if (each.kind === "main") continue;
      due = earliest(due, this.#advanceContainer(pod, run, each));
      if (!isInitDone(each)) return due;
    }
    for (const each of run.containers) {
      if (each.kind !== "main") continue;
      if (each.reason === "PodInitializing") each.reason = "ContainerCreating";
      due = earliest(due, this.#advanceContainer(pod, run, each));
    }
    const isOver = run.containers.every(
      (each) => each.kind !== "main" || (each.state === "exited" && !this.#restarts(pod, each)),
    );
    // Sidecars have no life of their own.
    if (isOver) this.stop(pod, run);
    return due;
  }

  /** Mounts volumes and sets up the network; undefined when that is done. */
  #prepare(pod: Pod, run: PodRun): number | undefined {
    const { namespace = "" } = pod.metadata;
    const wait = run.startedAtMs + prepareMs - this.#around.now();
    if (wait > 0) return wait;
    const problem = mountProblem(pod, this.#around.readConfig(namespace));
    if (problem !== undefined) {
      const now = this.#around.now();
      if (problem !== run.mountProblem || now >= run.mountAgainMs) {
        run.mountProblem = problem;
        run.mountAgainMs = now + retryConfigMs;
        this.#around.record(pod, { type: "Warning", reason: "FailedMount", message: problem });
      }
      return run.mountAgainMs - now;
    }
    run.mountProblem = "";
    run.isPrepared = true;
    const trouble = troubleOf(pod);
    if (trouble.kind === "unknown") {
      this.#around.record(pod, {
        type: "Warning",
        reason: "UnknownTrouble",
        message: `The sandbox knows no trouble ${JSON.stringify(trouble.text)}; it knows crash-loop, image-pull-error, never-ready, oom, unschedulable and slow=<duration>.`,
      });
    }
    return undefined;
  }

  #advanceContainer(pod: Pod, run: PodRun, each: ContainerRun): number | undefined {
    const life = containerLife(pod, each);
    const isDue = (): boolean => each.notBeforeMs <= this.#around.now();
    if (each.state === "running") {
      const isEnding = this.#endOf(run, each, life);
      if (!isEnding) return this.#advanceReadiness(pod, each, life, run);
      this.#afterExit(pod, each);
    }
    if (each.state === "exited") {
      if (!this.#restarts(pod, each)) return undefined;
      if (!isDue()) return each.notBeforeMs - this.#around.now();
      each.restarts++;
      each.lastExit = each.exit;
    } else if (!isDue() && !this.#isConfigured(pod, each)) {
      return this.#waitLonger(pod, each);
    } else if (each.reason === "CrashLoopBackOff") {
      each.restarts++;
    }
    if (!this.#start(pod, run, each)) return each.notBeforeMs - this.#around.now();
    return this.#advanceReadiness(pod, each, life, run);
  }

  /** Whether configuration that a container waited for has come. */
  #isConfigured(pod: Pod, each: ContainerRun): boolean {
    if (each.reason !== "CreateContainerConfigError") return false;
    const { namespace = "" } = pod.metadata;
    const read = this.#around.readConfig(namespace);
    return environmentProblem(specOf(pod, each), namespace, read) === undefined;
  }

  /** An image that cannot be had is shown first as an error, then as a back-off. */
  #waitLonger(pod: Pod, each: ContainerRun): number {
    const now = this.#around.now();
    if (each.reason === "ErrImagePull") {
      const shownFor = now - each.sinceMs;
      if (shownFor < errorShownMs) return errorShownMs - shownFor;
      const image = specOf(pod, each).image ?? "";
      const message = `Back-off pulling image ${JSON.stringify(image)}`;
      this.#around.record(pod, { reason: "BackOff", message, fieldPath: fieldPath(each) });
      this.#around.record(pod, {
        type: "Warning",
        reason: "Failed",
        message: "Error: ImagePullBackOff",
        fieldPath: fieldPath(each),
      });
      each.message = `${message}: ErrImagePull: ${each.message}`;
      each.reason = "ImagePullBackOff";
    }
    return each.notBeforeMs - now;
  }

  #advanceReadiness(
    pod: Pod,
    each: ContainerRun,
    { readyAfterMs, endsAfterMs }: ContainerLife,
    run: PodRun,
  ): number | undefined {
    const age = this.#around.now() - each.sinceMs;
    const isProcess = this.#processes.has(processId(run, each));
    const untilEnd = endsAfterMs === undefined || isProcess ? undefined : endsAfterMs - age;
    if (readyAfterMs === undefined && !isProcess) {
      if (endsAfterMs === undefined && !each.isUnhealthyNoted) {
        each.isUnhealthyNoted = true;
        this.#around.record(pod, {
          type: "Warning",
          reason: "Unhealthy",
          message: "Readiness probe failed: simulated by the sandbox",
          fieldPath: fieldPath(each),
        });
      }
      return untilEnd;
    }
    const untilReady = (readyAfterMs ?? 0) - age;
    each.isReady = untilReady <= 0;
    return each.isReady ? untilEnd : earliest(untilReady, untilEnd);
  }

  /** Ends a container whose time has come; false when it goes on. */
  #endOf(run: PodRun, each: ContainerRun, life: ContainerLife): boolean {
    const id = processId(run, each);
    if (this.#processes.has(id)) {
      const exitCode = this.#processes.takeExit(id);
      if (exitCode === undefined) return false;
      this.#exit(run, each, { exitCode, exitReason: exitCode === 0 ? "Completed" : "Error" });
      return true;
    }
    const { endsAfterMs, lastWords } = life;
    if (endsAfterMs === undefined || this.#around.now() < each.sinceMs + endsAfterMs) return false;
    if (lastWords !== undefined) this.#log(run, each, lastWords);
    this.#exit(run, each, life);
    return true;
  }

  #exit(run: PodRun, each: ContainerRun, { exitCode, exitReason }: StopExit): void {
    const now = this.#around.now();
    each.exit = {
      exitCode,
      reason: exitReason,
      startedAtMs: each.sinceMs,
      finishedAtMs: now,
      containerId: each.containerId,
    };
    each.failures = now - each.sinceMs >= forgivenAfterMs ? 0 : each.failures;
    each.state = "exited";
    each.sinceMs = now;
    each.isReady = false;
    this.#around.logs.end(run.uid, each.name);
  }

  /** The first restart is immediate; further ones back off, twice as long each time. */
  #afterExit(pod: Pod, each: ContainerRun): void {
    if (!this.#restarts(pod, each)) return;
    const now = this.#around.now();
    each.failures++;
    if (each.failures === 1) {
      each.notBeforeMs = now + restartMs;
      return;
    }
    const backOffMs = crashBackOffMs(each.failures);
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    each.lastExit = each.exit;
    each.state = "waiting";
    each.reason = "CrashLoopBackOff";
    each.message = `back-off ${goDuration(backOffMs)} restarting failed container=${each.name} pod=${name}_${namespace}(${uid})`;
    each.notBeforeMs = now + backOffMs;
    this.#around.record(pod, {
      type: "Warning",
      reason: "BackOff",
      message: `Back-off restarting failed container ${each.name} in pod ${name}_${namespace}(${uid})`,
      fieldPath: fieldPath(each),
    });
  }

  #restarts({ spec, metadata }: Pod, { kind, exit }: ContainerRun): boolean {
    if (metadata.deletionTimestamp !== undefined) return false;
    const { restartPolicy = "Always" } = spec;
    const hasFailed = (exit?.exitCode ?? 0) !== 0;
    if (kind === "sidecar") return true;
    if (kind === "init") return hasFailed && restartPolicy !== "Never";
    return restartPolicy === "Always" || (restartPolicy === "OnFailure" && hasFailed);
  }

  /** Starts a container; false when something that it needs is missing. */
  #start(pod: Pod, run: PodRun, each: ContainerRun): boolean {
    const { namespace = "" } = pod.metadata;
    const spec = specOf(pod, each);
    if (!this.#pull(pod, each, spec)) return false;
    const problem = environmentProblem(spec, namespace, this.#around.readConfig(namespace));
    if (problem !== undefined) {
      this.#wait(each, "CreateContainerConfigError", problem, retryConfigMs);
      const note = { reason: "Failed", message: `Error: ${problem}`, fieldPath: fieldPath(each) };
      this.#around.record(pod, { type: "Warning", ...note });
      return false;
    }
    const at = { fieldPath: fieldPath(each) };
    this.#around.record(pod, { reason: "Created", message: "Container created", ...at });
    this.#around.record(pod, { reason: "Started", message: "Container started", ...at });
    each.state = "running";
    each.isUnhealthyNoted = false;
    each.sinceMs = this.#around.now();
    each.exit = undefined;
    each.containerId = containerIdOf(run.uid, each.name, each.restarts);
    this.#around.logs.begin(run.uid, each.name);
    if (!this.#startProcess(pod, run, each, spec)) {
      this.#log(run, each, `${each.name} started from image ${spec.image ?? ""}`);
    }
    return true;
  }

  #pull(pod: Pod, each: ContainerRun, { image = "", imagePullPolicy }: Container): boolean {
    const at = { fieldPath: fieldPath(each) };
    const quoted = JSON.stringify(image);
    if (troubleOf(pod).kind === "image-pull-error") {
      each.failures++;
      const message = `failed to pull and unpack image ${quoted}: simulated by the sandbox: not found`;
      const backOffMs = crashBackOffMs(each.failures + 1);
      this.#wait(each, "ErrImagePull", message, backOffMs);
      this.#around.record(pod, { reason: "Pulling", message: `Pulling image ${quoted}`, ...at });
      const failed = { type: "Warning", reason: "Failed" } as const;
      this.#around.record(pod, {
        ...failed,
        message: `Failed to pull image ${quoted}: ${message}`,
        ...at,
      });
      this.#around.record(pod, { ...failed, message: "Error: ErrImagePull", ...at });
      // Shown again as a back-off after a moment.
      each.notBeforeMs = this.#around.now() + backOffMs;
      return false;
    }
    if (imagePullPolicy !== "Always" && this.#pulled.has(image)) {
      const message = `Container image ${quoted} already present on machine`;
      this.#around.record(pod, { reason: "Pulled", message, ...at });
      return true;
    }
    this.#around.record(pod, { reason: "Pulling", message: `Pulling image ${quoted}`, ...at });
    const message = `Successfully pulled image ${quoted} in 1ms (1ms including waiting). Image size: 0 bytes.`;
    this.#around.record(pod, { reason: "Pulled", message, ...at });
    if (this.#pulled.size < mostImages) this.#pulled.add(image);
    return true;
  }

  #wait(each: ContainerRun, reason: string, message: string, delayMs: number): void {
    const now = this.#around.now();
    each.state = "waiting";
    each.reason = reason;
    each.message = message;
    each.sinceMs = now;
    each.notBeforeMs = now + delayMs;
  }

  #startProcess(pod: Pod, run: PodRun, each: ContainerRun, spec: Container): boolean {
    const command = pod.metadata.annotations?.[runAnnotation] ?? "";
    const isFirst = pod.spec.containers[0]?.name === each.name && each.kind === "main";
    if (command === "" || !isFirst) return false;
    if (!this.#around.allowProcesses) {
      const why = "the sandbox was started without --allow-processes";
      this.#log(run, each, `${runAnnotation} is ignored: ${why}`);
      return false;
    }
    const { namespace = "" } = pod.metadata;
    this.#processes.start(processId(run, each), {
      command,
      environment: containerEnvironment(pod, spec, this.#around.readConfig(namespace)),
      stdin: spec.stdin === true ? (spec.stdinOnce === true ? "once" : "open") : undefined,
      output: (line) => {
        this.#log(run, each, line);
      },
      exit: () => {
        this.#around.wake(pod);
      },
    });
    return true;
  }

  #log(run: PodRun, each: ContainerRun, text: string): void {
    this.#around.logs.append(run.uid, each.name, { atMs: this.#around.now(), text });
  }
}

const mostImages = 10_000;

interface StopExit {
  readonly exitCode: number;
  readonly exitReason: string;
}

const stopped: StopExit = { exitCode: 0, exitReason: "Completed" };
const killed: StopExit = { exitCode: 137, exitReason: "Error" };

function specOf({ spec }: Pod, { name }: ContainerRun): Container {
  const all = [...(spec.initContainers ?? []), ...spec.containers];
  return all.find((container) => container.name === name) ?? { name };
}

function fieldPath({ name, kind }: ContainerRun): string {
  return `spec.${kind === "main" ? "containers" : "initContainers"}{${name}}`;
}

function processId({ uid }: PodRun, { name }: ContainerRun): string {
  return processIdOf(uid, name);
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : Math.min(left, right);
}
