import { type Cluster, isApiError } from "../cluster/index.ts";
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

  /** What is known of the objects below a workload. */
  of({ metadata }: KubernetesObject): readonly KubernetesObject[] {
    const { uid = "" } = metadata;
    const all = [...this.#seen.values()].flatMap(({ children }) => children);
    return all.filter((child) =>
      child.metadata.ownerReferences?.some((owner) => owner.uid === uid),
    );
  }

  /** Takes note of workloads that are not ready; resolves with when to look again, if at all. */
  async look(
    cluster: Pick<Cluster, "list">,
    notReady: readonly KubernetesObject[],
    now: number,
  ): Promise<{ readonly hasRead: boolean; readonly afterMs: number | undefined }> {
    for (const [uid, { askedAt }] of this.#seen)
      if (now - askedAt > forgetAfterMs) this.#seen.delete(uid);
    const own = notReady.filter(({ kind }) => workloads.includes(kind));
    if (own.length === 0) return { hasRead: false, afterMs: undefined };
    const due = own.filter((workload) => this.#isDue(workload, now));
    await Promise.all(due.map((workload) => this.#read(cluster, workload, now)));
    const isEarly = own.some(({ metadata }) => this.#seen.get(metadata.uid ?? "")?.readAt === 0);
    return { hasRead: due.length > 0, afterMs: isEarly ? patienceMs : lookAgainMs };
  }

  forget(workloadsNow: Iterable<KubernetesObject>): void {
    for (const { metadata } of workloadsNow) this.#seen.delete(metadata.uid ?? "");
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
    const seen = this.#seen.get(workload.metadata.uid ?? "");
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
    try {
      const lists = await Promise.all(kinds.map((kind) => cluster.list(kind, options)));
      seen.children = lists.flatMap(({ items }) => items);
    } catch (error) {
      // Whoever may not see pods knows the workload only.
      if (!isApiError(error, "Forbidden") && !(error instanceof AccountError)) throw error;
      seen.children = [];
    }
    seen.readAt = now;
  }
}
