import { type Cluster, Informer } from "../cluster/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { type Readiness, readinessOf } from "../readiness/index.ts";
import type { Emit } from "./emit.ts";

const reminderMs = 10_000;
const tickMs = 1_000;
const parents = new Set([
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "ReplicationController",
]);

interface Waiting {
  readonly identity: ObjectIdentity;
  readonly mustComplete: boolean;
  readonly resolve: (verdict: Readiness) => void;
  readonly look: () => KubernetesObject | undefined;
  last: Readiness;
}

/**
 * Waits for objects to become ready or to go, on one list and watch for each kind and namespace. What
 * belongs to an object is watched only while the object is not ready.
 */
export class ReadinessWaiter {
  readonly #cluster: Cluster;
  readonly #emit: Emit;
  readonly #informers = new Map<string, Informer>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #ticker: NodeJS.Timeout;
  #lastReminder = Date.now();

  constructor(cluster: Cluster, emit: Emit) {
    this.#cluster = cluster;
    this.#emit = emit;
    this.#ticker = setInterval(() => {
      this.#tick();
    }, tickMs);
  }

  /** The verdict on an object as it was just answered, without waiting. */
  judge(object: KubernetesObject, mustComplete: boolean): Readiness {
    return readinessOf(object, {
      now: Date.now(),
      jobsMustComplete: mustComplete,
      childrenOf: (owner) => this.#childrenOf(owner),
    });
  }

  /** Resolves with the first verdict that is final: Current or Failed; or the last one at the deadline. */
  async untilReady(
    object: KubernetesObject,
    mustComplete: boolean,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Readiness> {
    const first = this.judge(object, mustComplete);
    if (isFinal(first)) return first;
    const identity = identityOf(object);
    const informer = this.#informer(object.apiVersion, object.kind, identity.namespace);
    if (parents.has(object.kind)) this.#watchChildren(identity.namespace);
    this.#emit({
      type: "wait",
      object: identity,
      status: "pending",
      reason: first.reason,
      message: first.message,
    });
    const look = (): KubernetesObject | undefined => informer.get(identity);
    return this.#wait({ identity, mustComplete, look }, first, deadline, signal);
  }

  /** Resolves when an object of this uid is no longer there; false at the deadline. */
  async untilGone(
    object: KubernetesObject,
    deadline: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const identity = identityOf(object);
    const informer = this.#informer(object.apiVersion, object.kind, identity.namespace);
    try {
      await informer.synced;
    } catch {
      // Without a watch the single reads below decide.
    }
    for (;;) {
      const found = informer.get(identity) ?? undefined;
      if (found === undefined || found.metadata.uid !== object.metadata.uid) return true;
      if (signal.aborted || Date.now() >= deadline) return false;
      await changeOf(informer, Math.min(1_000, deadline - Date.now()), signal);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#ticker);
    await Promise.all([...this.#informers.values()].map((informer) => informer.close()));
  }

  async #wait(
    { identity, mustComplete, look }: Pick<Waiting, "identity" | "mustComplete" | "look">,
    first: Readiness,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Readiness> {
    const key = identityKey(identity);
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    const waiting: Waiting = { identity, mustComplete, look, resolve, last: first };
    this.#waiting.set(key, waiting);
    const end = (): void => {
      resolve(waiting.last);
    };
    const timer = setTimeout(end, Math.max(0, deadline - Date.now()));
    signal.addEventListener("abort", end, { once: true });
    this.#look(waiting);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      this.#waiting.delete(key);
    }
  }

  #look(waiting: Waiting): void {
    const object = waiting.look();
    if (object === undefined) return;
    const verdict = this.judge(object, waiting.mustComplete);
    const isNews =
      verdict.reason !== waiting.last.reason || verdict.message !== waiting.last.message;
    waiting.last = verdict;
    if (isFinal(verdict)) waiting.resolve(verdict);
    else if (isNews)
      this.#emit({
        type: "status",
        object: waiting.identity,
        status: verdict.status,
        reason: verdict.reason,
        message: verdict.message,
      });
  }

  #tick(): void {
    for (const waiting of this.#waiting.values()) this.#look(waiting);
    if (Date.now() - this.#lastReminder < reminderMs) return;
    this.#lastReminder = Date.now();
    for (const { identity, last } of this.#waiting.values()) {
      this.#emit({
        type: "wait",
        object: identity,
        status: "pending",
        reason: last.reason,
        message: last.message,
      });
    }
  }

  #informer(apiVersion: string, kind: string, namespace: string): Informer {
    const key = `${apiVersion}/${kind}/${namespace}`;
    const known = this.#informers.get(key);
    if (known !== undefined) return known;
    const informer = new Informer(
      this.#cluster,
      { apiVersion, kind },
      namespace === "" ? {} : { namespace },
    );
    informer.subscribe(() => {
      for (const waiting of this.#waiting.values())
        if (waiting.identity.namespace === namespace) this.#look(waiting);
    });
    informer.synced.then(
      () => {
        for (const waiting of this.#waiting.values()) this.#look(waiting);
      },
      () => {
        // Said by whoever waits: its deadline comes.
      },
    );
    this.#informers.set(key, informer);
    return informer;
  }

  #watchChildren(namespace: string): void {
    this.#informer("apps/v1", "ReplicaSet", namespace);
    this.#informer("v1", "Pod", namespace);
  }

  #childrenOf(owner: KubernetesObject): readonly KubernetesObject[] {
    const { namespace = "", uid } = owner.metadata;
    const children: KubernetesObject[] = [];
    for (const key of [`apps/v1/ReplicaSet/${namespace}`, `v1/Pod/${namespace}`]) {
      for (const object of this.#informers.get(key)?.objects() ?? []) {
        if (object.metadata.ownerReferences?.some((reference) => reference.uid === uid) === true)
          children.push(object);
      }
    }
    return children;
  }
}

function isFinal({ status }: Readiness): boolean {
  return status === "Current" || status === "Failed";
}

/** Resolves when an informer has news, or after a while. */
function changeOf(informer: Informer, withinMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, withinMs));
    const stop = informer.subscribe(done);
    signal.addEventListener("abort", done, { once: true });
  });
}
