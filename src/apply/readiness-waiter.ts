import { type Cluster, type InformerEvent, isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  identityKey,
  identityOf,
  isNewerVersion,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { type Readiness, readinessOf } from "../readiness/index.ts";
import { ChildIndex } from "./child-index.ts";
import type { Emit } from "./emit.ts";
import { KindRules } from "./kind-rules.ts";
import { LastLogLines } from "./last-log-lines.ts";
import { ObjectFeed } from "./object-feed.ts";
import { type OwnedKind, OwnedKinds } from "./owned-kinds.ts";
import { VolumeBinding } from "./volume-binding.ts";

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
  uid: string;
  /** Whether it is told again and again that this is waited for. */
  readonly isReminded: boolean;
  /** Looks again, because something may have changed. */
  readonly look: () => void;
  last: Readiness;
}

/**
 * Waits for objects to become ready or to go, on one list and watch for each kind and namespace. What
 * belongs to an object is watched only while the object is not ready.
 */
export class ReadinessWaiter {
  readonly #cluster: Cluster;
  readonly #emit: Emit;
  readonly #feeds = new Map<string, ObjectFeed>();
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #waitingByUid = new Map<string, Set<Waiting>>();
  readonly #children = new ChildIndex();
  readonly #logLines: LastLogLines;
  readonly #volumes: VolumeBinding;
  readonly #rules: KindRules;
  readonly #ownedKinds: OwnedKinds;
  readonly #ticker: NodeJS.Timeout;
  #lastReminder = Date.now();

  /** The definitions of custom kinds that are known already; others are read when they come up. */
  constructor(cluster: Cluster, emit: Emit, definitions?: readonly KubernetesObject[]) {
    this.#cluster = cluster;
    this.#emit = emit;
    this.#rules = new KindRules(cluster, emit, definitions);
    this.#ownedKinds = new OwnedKinds(cluster, {
      onChange: (event) => {
        this.#takeChild(event);
      },
      onKnown: () => {
        for (const waiting of this.#all()) waiting.look();
      },
      onForbidden: (kind, namespace, error) => {
        this.#tellPolling(kind, namespace, error);
      },
    });
    this.#logLines = new LastLogLines(cluster);
    this.#volumes = new VolumeBinding(cluster);
    this.#ticker = setInterval(() => {
      this.#tick();
    }, tickMs);
  }

  /** The verdict on an object as it was just answered, without waiting. */
  judge(object: KubernetesObject, mustComplete: boolean): Readiness {
    return readinessOf(object, {
      now: Date.now(),
      jobsMustComplete: mustComplete,
      childrenOf: (owner) => this.#children.childrenOf(owner),
      rulesOf: this.#rules.rulesOf,
      lastLogLine: (pod, container) => this.#logLines.get(pod, container),
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
    const feed = this.#feed(object.apiVersion, object.kind, identity.namespace);
    if (parents.has(object.kind)) this.#watchChildren(identity.namespace);
    if (object.kind === "PersistentVolumeClaim") this.#feed("v1", "Pod", identity.namespace);
    this.#tellWait(identity, first);
    let newest = object;
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    const look = (): void => {
      const found = feed.look(identity);
      // The copy may be older than the answer to our own write.
      if (typeof found === "object" && !isNewerVersion(newest, found)) newest = found;
      const verdict = this.judge(newest, mustComplete);
      const isNews =
        verdict.reason !== waiting.last.reason || verdict.message !== waiting.last.message;
      waiting.last = verdict;
      if (isFinal(verdict)) void this.#withLogLines(look, resolve, verdict);
      else if (isNews)
        this.#emit({
          type: "status",
          object: identity,
          status: verdict.status,
          reason: verdict.reason,
          message: verdict.message,
        });
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
    const owned = this.#useOwnedKinds(identity);
    look();
    try {
      return await promise;
    } finally {
      forget();
      for (const { release } of owned) release();
    }
  }

  /** Resolves when an object of this uid is no longer there; false at the deadline. */
  async untilGone(
    object: KubernetesObject,
    deadline: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const identity = identityOf(object);
    const feed = this.#feed(object.apiVersion, object.kind, identity.namespace);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = (): void => {
      const found = feed.look(identity);
      if (found === "absent") resolve(true);
      else if (found !== undefined && found.metadata.uid !== object.metadata.uid) resolve(true);
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
      resolve(false);
    });
    look();
    try {
      return await promise;
    } finally {
      forget();
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
    const feed = this.#feed(apiVersion, kind, namespace);
    const owned = this.#useOwnedKinds(identity);
    let isTold = false;
    const look = (): void => {
      const found = feed.look(identity);
      if (found === undefined || !owned.every(({ isKnown }) => isKnown())) return;
      if (found !== "absent") this.#knowUid(waiting, found.metadata.uid ?? "");
      const verdict = found === "absent" ? notFound : this.judge(found, false);
      // Why it is not ready its children know; they are worth a moment.
      if (verdict.status !== "Current" && found !== "absent" && parents.has(kind)) {
        if (!this.#watchChildren(namespace)) return;
        const pending = verdict.status === "Failed" ? this.#logLines.pending() : undefined;
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

  async close(): Promise<void> {
    clearInterval(this.#ticker);
    await Promise.all([
      this.#ownedKinds.close(),
      ...[...this.#feeds.values()].map((feed) => feed.close()),
    ]);
  }

  /** Watches what an object waits to own, if its definition says so. */
  #useOwnedKinds({ group, kind, namespace }: ObjectIdentity): readonly OwnedKind[] {
    return (this.#rules.rulesOf(group, kind)?.readyWhen ?? []).flatMap((rule) =>
      rule.kind === "exists"
        ? [this.#ownedKinds.use(rule.apiVersion, rule.ownedKind, namespace)]
        : [],
    );
  }

  #all(): readonly Waiting[] {
    return [...this.#waiting.values()].flatMap((each) => [...each]);
  }

  /** A failure is told with the last words of the container, if they can be had in a moment. */
  async #withLogLines(
    look: () => void,
    resolve: (verdict: Readiness) => void,
    verdict: Readiness,
  ): Promise<void> {
    const pending = verdict.status === "Failed" ? this.#logLines.pending() : undefined;
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
    for (const waiting of all) waiting.look();
    if (Date.now() - this.#lastReminder < reminderMs) return;
    this.#lastReminder = Date.now();
    for (const { identity, last, isReminded } of all)
      if (isReminded) this.#tellWait(identity, last);
  }

  #tellWait(object: ObjectIdentity, { reason, message }: Readiness): void {
    this.#emit({ type: "wait", object, status: "pending", reason, message });
  }

  #feed(apiVersion: string, kind: string, namespace: string): ObjectFeed {
    const key = `${apiVersion}/${kind}/${namespace}`;
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const own = (): readonly Waiting[] =>
      this.#all().filter(
        ({ identity }) => identity.kind === kind && identity.namespace === namespace,
      );
    const feed = new ObjectFeed(this.#cluster, { apiVersion, kind }, namespace, {
      onChange: (event) => {
        this.#take(event);
      },
      onKnown: () => {
        const isChild = kind === "Pod" || kind === "ReplicaSet";
        const all = isChild ? this.#all() : own();
        for (const waiting of all) waiting.look();
      },
      onPolling: (error) => {
        this.#tellPolling(kind, namespace, error);
      },
      wanted: () => own().map(({ identity }) => identity),
    });
    this.#feeds.set(key, feed);
    return feed;
  }

  /** Looks at whoever waits for this object, or for one that it belongs to. */
  #take(event: InformerEvent): void {
    const { kind, object } = event;
    if (object.kind === "Pod") this.#volumes.take(kind, object);
    if (object.kind === "Pod" || object.kind === "ReplicaSet") this.#takeChild(event);
    for (const waiting of this.#waiting.get(identityKey(identityOf(object))) ?? []) waiting.look();
  }

  #takeChild({ kind, object }: InformerEvent): void {
    const owners = this.#children.ownersOf(object);
    if (kind === "deleted") this.#children.remove(object);
    else this.#children.put(object);
    for (const uid of owners)
      for (const waiting of this.#waitingByUid.get(uid) ?? []) waiting.look();
  }

  #tellPolling(kind: string, namespace: string, error: unknown): void {
    const where = namespace === "" ? "" : ` in the namespace ${namespace}`;
    const detail = error instanceof DiagnosticError ? error.diagnostics[0]?.summary : undefined;
    this.#emit({
      type: "warning",
      code: "live.watch-forbidden",
      severity: "warning",
      summary: `${kind} objects${where} may not be watched; they are read again and again instead`,
      ...(detail === undefined || !isApiError(error) ? {} : { detail }),
    });
  }

  /** False as long as not all of them are known. */
  #watchChildren(namespace: string): boolean {
    const replicaSets = this.#feed("apps/v1", "ReplicaSet", namespace);
    const pods = this.#feed("v1", "Pod", namespace);
    return replicaSets.isKnown && pods.isKnown;
  }
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
