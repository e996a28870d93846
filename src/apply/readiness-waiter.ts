import { type Cluster, type KindView, referenceTo } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  identityKey,
  identityOf,
  isNewerVersion,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { type Readiness, readinessOf } from "../readiness/index.ts";
import type { Emit } from "../events/index.ts";
import { Evidence } from "./evidence.ts";
import { KindRules } from "./kind-rules.ts";
import { JobEnd } from "./job-end.ts";
import { ReadinessViews } from "./readiness-views.ts";
import { VolumeBinding } from "./volume-binding.ts";

const reminderMs = 10_000;
const tickMs = 1_000;
/** How long the answer to one question by name may take. */
const askMs = 10_000;
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
  uid: string;
  /** Whether it is told again and again that this is waited for. */
  readonly isReminded: boolean;
  /** Looks again, because something may have changed; at what was just seen of the object, if given. */
  readonly look: (seen?: KubernetesObject) => void;
  last: Readiness;
}

/**
 * Waits for objects to become ready or to be deleted, through the view of the cluster. The children of
 * an object are looked at only when the object is not ready.
 */
export class ReadinessWaiter {
  readonly #cluster: Cluster;
  readonly #emit: Emit;
  readonly #views: ReadinessViews;
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #waitingByUid = new Map<string, Set<Waiting>>();
  readonly #evidence: Evidence;
  readonly #volumes: VolumeBinding;
  readonly #rules: KindRules;
  readonly #ticker: NodeJS.Timeout;
  #lastReminder = Date.now();

  /** The definitions of custom kinds that are known already; others are read when they come up. */
  constructor(cluster: Cluster, emit: Emit, definitions?: readonly KubernetesObject[]) {
    this.#cluster = cluster;
    this.#emit = emit;
    this.#views = new ReadinessViews(cluster, emit, {
      onObject: (object) => {
        for (const waiting of this.#waiting.get(identityKey(identityOf(object))) ?? [])
          waiting.look(object);
      },
      onChild: (owners) => {
        for (const uid of owners)
          for (const waiting of this.#waitingByUid.get(uid) ?? []) waiting.look();
      },
      onState: () => {
        for (const waiting of this.#all()) waiting.look();
      },
      wanted: (kind, namespace) =>
        this.#all()
          .map(({ identity }) => identity)
          .filter((each) => each.kind === kind && each.namespace === namespace),
    });
    this.#rules = new KindRules(cluster, emit, definitions);
    this.#evidence = new Evidence(cluster);
    this.#volumes = new VolumeBinding(cluster, (namespace) => this.#views.knownPods(namespace));
    this.#ticker = setInterval(() => {
      this.#tick();
    }, tickMs);
  }

  /** The verdict on an object as it was just answered, without waiting. */
  judge(object: KubernetesObject, mustComplete: boolean): Readiness {
    return readinessOf(object, {
      now: Date.now(),
      jobsMustComplete: mustComplete,
      childrenOf: (owner) => this.#views.childrenOf(owner),
      rulesOf: this.#rules.rulesOf,
      logOf: this.#evidence.logOf,
      eventsOf: this.#evidence.eventsOf,
      waitsForConsumer: (claim) => this.#volumes.waitsForConsumer(claim),
    });
  }

  /** Resolves with the first verdict that is final: Current or Failed; or the last one at the deadline. */
  async untilReady(
    object: KubernetesObject,
    mustComplete: boolean,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Readiness> {
    if (object.kind === "PersistentVolumeClaim") await this.#volumes.load();
    const identity = identityOf(object);
    await this.#rules.learn([identity]);
    const first = this.judge(object, mustComplete);
    if (first.status === "Current") return first;
    const { namespace } = identity;
    const view = this.#views.of(object, namespace);
    if (parents.has(object.kind)) this.#views.workloads(namespace);
    if (object.kind === "PersistentVolumeClaim") this.#views.pods(namespace);
    this.#tellWait(identity, first);
    let newest = object;
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    const jobEnd = new JobEnd(this.#cluster, object, () => {
      look();
    });
    const look = (seen?: KubernetesObject): void => {
      const found = view.look(identity);
      for (const each of [seen, found])
        // The copy may be older than the answer to our own write.
        if (typeof each === "object" && !isNewerVersion(newest, each)) newest = each;
      const judged = this.judge(newest, mustComplete);
      const verdict =
        found === "absent" && !isFinal(judged) ? (jobEnd.verdict() ?? judged) : judged;
      const isNews =
        verdict.reason !== waiting.last.reason || verdict.message !== waiting.last.message;
      waiting.last = verdict;
      // What was given up before this run says so at once; why, only its pods know.
      const isUnexplained =
        verdict.status === "Failed" &&
        parents.has(identity.kind) &&
        !this.#views.workloads(namespace).every(isSettled);
      if (isUnexplained) return;
      if (isFinal(verdict)) void this.#withEvidence(look, resolve, verdict);
      else if (isNews) this.#emit({ type: "status", object: identity, ...verdict });
    };
    const waiting: Waiting = {
      identity,
      uid: object.metadata.uid ?? "",
      isReminded: true,
      look,
      last: first,
    };
    const end = (): void => {
      resolve(waiting.last);
    };
    const forget = this.#remember(waiting, deadline, signal, end);
    this.#watchOwned(identity);
    look();
    try {
      return await promise;
    } finally {
      forget();
    }
  }

  /**
   * Resolves when the server says of an object of this uid that it is no longer there; false when it still
   * was at the deadline. What is watched only tells when to ask: a watch may be silent, or not all of it true.
   */
  async untilGone(
    object: KubernetesObject,
    deadline: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const identity = identityOf(object);
    const view = this.#views.of(object, identity.namespace);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    let asking: Promise<boolean> | undefined;
    const ask = (): Promise<boolean> => {
      asking ??= this.#isGone(object).finally(() => {
        asking = undefined;
      });
      return asking;
    };
    const look = (): void => {
      const found = view.look(identity);
      const isThere = found === undefined || (found !== "absent" && isSame(found, object));
      if (isThere) return;
      ask().then((isGone) => {
        if (isGone) resolve(true);
      }, reject);
    };
    const last: Readiness = {
      status: "Terminating",
      reason: "Terminating",
      message: `${object.kind} is being deleted`,
    };
    const waiting: Waiting = {
      identity,
      uid: object.metadata.uid ?? "",
      isReminded: true,
      look,
      last,
    };
    const forget = this.#remember(waiting, deadline, signal, () => {
      if (signal.aborted) resolve(false);
      else ask().then(resolve, reject);
    });
    look();
    try {
      return await promise;
    } finally {
      forget();
    }
  }

  /** Asks for an object by its name; who gets no answer does not know that it is gone. */
  async #isGone(object: KubernetesObject): Promise<boolean> {
    try {
      const found = await this.#cluster.find(referenceTo(object), { timeoutMs: askMs });
      return found === undefined || !isSame(found, object);
    } catch (error) {
      if (error instanceof DiagnosticError) return false;
      throw error;
    }
  }

  /** Reads what the definitions of custom kinds say of their instances, before any is followed. */
  learn(identities: readonly ObjectIdentity[]): Promise<void> {
    return this.#rules.learn(identities);
  }

  /** Tells every new verdict on an object, also that it is not there, until the waiter is closed. */
  follow(
    identity: ObjectIdentity,
    apiVersion: string,
    onVerdict: (verdict: Readiness) => void,
  ): void {
    const { kind, namespace } = identity;
    const view = this.#views.of({ apiVersion, kind }, namespace);
    const owned = this.#watchOwned(identity);
    let isTold = false;
    const look = (): void => {
      const found = view.look(identity);
      if (found === undefined || !owned.every(isSettled)) return;
      if (found !== "absent") this.#knowUid(waiting, found.metadata.uid ?? "");
      const verdict = found === "absent" ? notFound : this.judge(found, false);
      // Why it is not ready its children know; they are worth a moment.
      if (verdict.status !== "Current" && found !== "absent") {
        if (parents.has(kind) && !this.#views.workloads(namespace).every(isSettled)) return;
        const isNews = !isTold || waiting.last.status !== verdict.status;
        const pending = isNews ? this.#evidence.pending() : undefined;
        if (pending !== undefined) {
          void pending.then(look);
          return;
        }
      }
      const { last } = waiting;
      if (isTold && last.status === verdict.status && last.message === verdict.message) return;
      isTold = true;
      waiting.last = verdict;
      onVerdict(verdict);
    };
    const waiting: Waiting = { identity, uid: "", isReminded: false, look, last: notFound };
    addTo(this.#waiting, identityKey(identity), waiting);
    look();
  }

  #knowUid(waiting: Waiting, uid: string): void {
    if (waiting.uid === uid) return;
    removeFrom(this.#waitingByUid, waiting.uid, waiting);
    waiting.uid = uid;
    addTo(this.#waitingByUid, uid, waiting);
  }

  close(): Promise<void> {
    clearInterval(this.#ticker);
    this.#views.release();
    return Promise.resolve();
  }

  /** Looks at the kinds that an object waits to own, if its definition says so. */
  #watchOwned({ group, kind, namespace }: ObjectIdentity): readonly KindView[] {
    return (this.#rules.rulesOf(group, kind)?.readyWhen ?? []).flatMap((rule) =>
      rule.kind === "exists"
        ? this.#views.children(
            { apiVersion: rule.apiVersion, kind: rule.ownedKind },
            namespace,
            "metadata",
          )
        : [],
    );
  }

  #all(): readonly Waiting[] {
    return [...this.#waiting.values()].flatMap((each) => [...each]);
  }

  /** A failure is told with its evidence, if that can be had in a moment. */
  async #withEvidence(
    look: () => void,
    resolve: (verdict: Readiness) => void,
    verdict: Readiness,
  ): Promise<void> {
    const pending = verdict.status === "Failed" ? this.#evidence.pending() : undefined;
    if (pending === undefined) {
      resolve(verdict);
      return;
    }
    await pending;
    look();
  }

  #remember(waiting: Waiting, deadline: number, signal: AbortSignal, end: () => void): () => void {
    const key = identityKey(waiting.identity);
    addTo(this.#waiting, key, waiting);
    addTo(this.#waitingByUid, waiting.uid, waiting);
    const timer = setTimeout(end, Math.max(0, deadline - Date.now()));
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    return () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      removeFrom(this.#waiting, key, waiting);
      removeFrom(this.#waitingByUid, waiting.uid, waiting);
    };
  }

  #tick(): void {
    const all = this.#all();
    this.#views.wake();
    for (const waiting of all) waiting.look();
    if (Date.now() - this.#lastReminder < reminderMs) return;
    this.#lastReminder = Date.now();
    for (const { identity, last, isReminded } of all)
      if (isReminded) this.#tellWait(identity, last);
  }

  #tellWait(object: ObjectIdentity, { reason, message, cause }: Readiness): void {
    this.#emit({ type: "wait", object, status: "pending", reason, message, cause });
  }
}

function isSame(one: KubernetesObject, other: KubernetesObject): boolean {
  return one.metadata.uid === other.metadata.uid;
}

/** Whether all is known of a kind that can be. */
function isSettled({ state }: KindView): boolean {
  return state !== "pending";
}

const notFound: Readiness = {
  status: "NotFound",
  reason: "NotFound",
  message: "it is not there",
};

function isFinal({ status }: Readiness): boolean {
  return status === "Current" || status === "Failed";
}

function addTo<V>(map: Map<string, Set<V>>, key: string, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function removeFrom<V>(map: Map<string, Set<V>>, key: string, value: V): void {
  const known = map.get(key);
  known?.delete(value);
  if (known?.size === 0) map.delete(key);
}
