import type { KubernetesObject } from "../../objects/index.ts";
import type { ConfigLookup } from "./config-references.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { EventWriter } from "./event-writer.ts";
import { nodeAddress, nodeName } from "./first-objects.ts";
import { InternalClient } from "./internal-client.ts";
import { localProcessesOf } from "./local-processes.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { podLogStoreOf } from "./pod-log-store.ts";
import { type PodRun, beginPodRun } from "./pod-run.ts";
import { PodSimulation } from "./pod-simulation.ts";
import { asPod, isFinished } from "./pod-state.ts";
import { podStatus } from "./pod-status.ts";
import type { Pod } from "./pod-types.ts";
import { type Runtime, pods } from "./runtime.ts";
import { putStatus } from "./put-status.ts";

const removeAfterMs = 10;

export interface KubeletOptions {
  readonly allowProcesses: boolean;
}

/** Runs the pods of all nodes, with containers that are simulated. */
export function kubelet(runtime: Runtime, options: KubeletOptions): Controller {
  const worker = new Kubelet(runtime, options);
  return {
    name: "kubelet",
    watches: [pods, "/configmaps", "/secrets"],
    keysOf: ({ resource, type, stored }) => {
      if (resource === pods) {
        if (type === "DELETED") worker.forget(asPod(stored.object));
        else if ((asPod(stored.object).spec.nodeName ?? "") !== "") return [stored];
        return [];
      }
      const isConfig = resource === "/configmaps" || resource === "/secrets";
      return isConfig ? worker.waitingForConfig(stored.namespace) : [];
    },
    reconcile: (key) => worker.sync(key),
    stop: () => {
      worker.stop();
    },
  };
}

class Kubelet {
  readonly #runtime: Runtime;
  readonly #client: InternalClient;
  readonly #simulation: PodSimulation;
  readonly #runs = new Map<string, PodRun>();
  readonly #addresses = new PodAddresses();
  readonly #waiting = new Map<string, ObjectKey>();

  constructor(runtime: Runtime, { allowProcesses }: KubeletOptions) {
    const { api } = runtime;
    this.#runtime = runtime;
    this.#client = new InternalClient(api, "kubelet");
    const events = new EventWriter(api, "kubelet", "kubelet", nodeName);
    this.#simulation = new PodSimulation({
      now: () => runtime.now(),
      logs: podLogStoreOf(api),
      processes: localProcessesOf(api),
      record: (pod, note) => {
        events.record(pod, note);
      },
      readConfig: (namespace) => this.#reader(namespace),
      allowProcesses,
      wake: ({ metadata: { namespace = "", name = "" } }) => {
        this.sync({ namespace, name });
      },
    });
  }

  stop(): void {
    this.#simulation.stopProcesses();
  }

  /** The pods of a namespace that wait for a ConfigMap or a Secret. */
  waitingForConfig(namespace: string): readonly ObjectKey[] {
    return [...this.#waiting.values()].filter((key) => key.namespace === namespace);
  }

  forget(pod: Pod): void {
    const { uid = "" } = pod.metadata;
    const run = this.#runs.get(uid);
    if (run !== undefined) this.#simulation.stop(pod, run);
    this.#runs.delete(uid);
    this.#waiting.delete(uid);
    this.#addresses.release(uid);
    podLogStoreOf(this.#runtime.api).forget(uid);
  }

  sync({ namespace, name }: ObjectKey): number | undefined {
    const object = this.#client.get(pods, namespace, name);
    if (object === undefined || (asPod(object).spec.nodeName ?? "") === "") return undefined;
    const pod = asPod(object);
    if (pod.metadata.deletionTimestamp !== undefined) return this.#remove(pod);
    if (isFinished(pod)) return undefined;
    const run = this.#run(pod);
    const due = this.#simulation.advance(pod, run);
    this.#noteWaiting(pod, run);
    this.#write(pod, run);
    return due;
  }

  /** A pod that is deleted is stopped, shown so for a moment, and then gone. */
  #remove(pod: Pod): number | undefined {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    // A container that waits for its next start is never shown as ended; it is stopped all the same.
    const hasEnded = isFinished(pod) || this.#runs.get(uid)?.isStopped === true;
    // Somebody's finalizer still holds it; there is nothing left to stop.
    if (pod.metadata["deletionGracePeriodSeconds"] === 0 && hasEnded) return undefined;
    if (!hasEnded && pod.status?.startTime !== undefined) {
      const run = this.#run(pod);
      this.#simulation.stop(pod, run);
      this.#write(pod, run);
      return removeAfterMs;
    }
    this.#client.delete(pods, namespace, name, {
      gracePeriodSeconds: 0,
      preconditions: { uid },
    });
    return undefined;
  }

  #run(pod: Pod): PodRun {
    const { uid = "" } = pod.metadata;
    let run = this.#runs.get(uid);
    if (run === undefined) {
      run = beginPodRun(pod, this.#runtime.now());
      this.#runs.set(uid, run);
    }
    return run;
  }

  #write(pod: Pod, run: PodRun): void {
    const { uid = "" } = pod.metadata;
    const address =
      pod.spec.hostNetwork === true
        ? nodeAddress
        : this.#addresses.addressOf(uid, pod.status?.podIP);
    const addresses = { host: nodeAddress, pod: address };
    putStatus(this.#client, pods, pod, podStatus(pod, run, addresses, this.#runtime.now()));
  }

  /** A container that lacks its configuration is tried again as soon as that comes. */
  #noteWaiting({ metadata }: Pod, run: PodRun): void {
    const { namespace = "", name = "", uid = "" } = metadata;
    const lacking = run.containers.filter(
      ({ reason, state }) => state === "waiting" && reason === "CreateContainerConfigError",
    );
    if (lacking.length === 0 && run.mountProblem === "") {
      this.#waiting.delete(uid);
      return;
    }
    this.#waiting.set(uid, { namespace, name });
  }

  #reader(namespace: string): ConfigLookup {
    return (resource, name): KubernetesObject | undefined =>
      this.#client.get(resource, namespace, name);
  }
}
