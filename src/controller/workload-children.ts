import {
  byOwner,
  type Cluster,
  isApiError,
  type ListOptions,
  type ObjectKind,
} from "../cluster/index.ts";
import { fieldAt, isJsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { AccountError } from "./account-error.ts";

/** Rollouts that take no longer than this explain themselves by ending. */
const patienceMs = 5_000;
const lookAgainMs = 10_000;
/** Who was not asked about for so long is gone. */
const forgetAfterMs = 600_000;
const workloads = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"];

interface Seen {
  /** When it was first seen not to be ready, and when its pods were last read. */
  readonly since: number;
  readAt: number;
  /** When somebody last asked. */
  askedAt: number;
  children: readonly KubernetesObject[];
}

/**
 * Why workloads do not become ready their pods know. These are not watched, because a cluster has many:
 * they are read while a workload has not been ready for a while, and only its own.
 */
export class WorkloadChildren {
  readonly #seen = new Map<string, Seen>();
  /** What was read, by the uids of what it belongs to: there may be thousands of workloads. */
  readonly #byOwner = new Map<string, Set<KubernetesObject>>();
  #cleanedAt = 0;

  /** What is known of the objects below a workload. */
  of({ metadata }: KubernetesObject): readonly KubernetesObject[] {
    return [...(this.#byOwner.get(metadata.uid ?? "") ?? [])];
  }

  /** Takes note of workloads that are not ready; resolves with when to look again, if at all. */
  async look(
    cluster: Pick<Cluster, "list">,
    notReady: readonly KubernetesObject[],
    now: number,
  ): Promise<{ readonly hasRead: boolean; readonly afterMs: number | undefined }> {
    this.#clean(now);
    const own = notReady.filter(({ kind }) => workloads.includes(kind));
    if (own.length === 0) return { hasRead: false, afterMs: undefined };
    const due = own.filter((workload) => this.#isDue(workload, now));
    await Promise.all(due.map((workload) => this.#read(cluster, workload, now)));
    const isEarly = own.some(({ metadata }) => this.#seen.get(metadata.uid ?? "")?.readAt === 0);
    return { hasRead: due.length > 0, afterMs: isEarly ? patienceMs : lookAgainMs };
  }

  forget(workloadsNow: Iterable<KubernetesObject>): void {
    for (const { metadata } of workloadsNow) this.#drop(metadata.uid ?? "");
  }

  /** Now and then: each look at one workload would else go through all of them. */
  #clean(now: number): void {
    if (now - this.#cleanedAt < forgetAfterMs / 10) return;
    this.#cleanedAt = now;
    for (const [uid, { askedAt }] of this.#seen) if (now - askedAt > forgetAfterMs) this.#drop(uid);
  }

  #drop(uid: string): void {
    const seen = this.#seen.get(uid);
    if (seen === undefined) return;
    this.#setChildren(seen, []);
    this.#seen.delete(uid);
  }

  #setChildren(seen: Seen, children: readonly KubernetesObject[]): void {
    for (const child of seen.children)
      for (const uid of byOwner(child)) {
        const siblings = this.#byOwner.get(uid);
        siblings?.delete(child);
        if (siblings?.size === 0) this.#byOwner.delete(uid);
      }
    seen.children = children;
    for (const child of children)
      for (const uid of byOwner(child)) {
        const siblings = this.#byOwner.get(uid) ?? new Set();
        this.#byOwner.set(uid, siblings.add(child));
      }
  }

  #isDue({ metadata: { uid = "" } }: KubernetesObject, now: number): boolean {
    const seen = this.#seen.get(uid);
    if (seen === undefined) {
      this.#seen.set(uid, { since: now, readAt: 0, askedAt: now, children: [] });
      return false;
    }
    seen.askedAt = now;
    return now - seen.since >= patienceMs && now - seen.readAt >= lookAgainMs - 1;
  }

  async #read(
    cluster: Pick<Cluster, "list">,
    workload: KubernetesObject,
    now: number,
  ): Promise<void> {
    const { uid = "" } = workload.metadata;
    const seen = this.#seen.get(uid);
    const labels = fieldAt(workload, "spec", "selector", "matchLabels");
    if (seen === undefined || !isJsonObject(labels)) return;
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${typeof value === "string" ? value : ""}`)
      .join(",");
    const options = { namespace: workload.metadata.namespace, labelSelector };
    const kinds = [
      { apiVersion: "v1", kind: "Pod" },
      ...(workload.kind === "Deployment" ? [{ apiVersion: "apps/v1", kind: "ReplicaSet" }] : []),
    ];
    const children = await childrenBy(kinds, cluster, options);
    // It may have become ready meanwhile, and is forgotten.
    if (this.#seen.get(uid) !== seen) return;
    this.#setChildren(seen, children);
    seen.readAt = now;
  }
}

async function childrenBy(
  kinds: readonly ObjectKind[],
  cluster: Pick<Cluster, "list">,
  options: ListOptions,
): Promise<readonly KubernetesObject[]> {
  try {
    const lists = await Promise.all(kinds.map((kind) => cluster.list(kind, options)));
    return lists.flatMap(({ items }) => items);
  } catch (error) {
    // Whoever may not see pods knows the workload only.
    if (!isApiError(error, "Forbidden") && !(error instanceof AccountError)) throw error;
    return [];
  }
}
