import { setTimeout as pause } from "node:timers/promises";
import { groupOf } from "../../objects/index.ts";
import type { Cluster } from "../cluster.ts";
import { isNotFound, isUnserved } from "./api-error.ts";
import type { ObjectKind } from "./api-resource.ts";

const firstPauseMs = 20;
const longestPauseMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Resolves when the kind is served, which it mostly is already. A definition is established a moment
 * before discovery names its kind, and that a moment before its path answers.
 */
export async function untilServed(
  cluster: Cluster,
  { apiVersion, kind }: ObjectKind,
  signal?: AbortSignal,
): Promise<void> {
  const resources = await cluster.resources();
  if (resources.find({ apiVersion, kind }) !== undefined) return;
  if (resources.unavailableGroups.has(groupOf(apiVersion))) return;
  await untilAnswered(cluster, { apiVersion, kind }, signal);
}

/** The same for a kind that was defined just now, whatever is remembered of it. */
export async function untilAnswered(
  cluster: Cluster,
  kind: ObjectKind,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      await cluster.resource(kind);
      for await (const _page of cluster.listPages(kind, { pageSize: 1 })) break;
      return;
    } catch (error) {
      if (!isUnserved(error) && !isNotFound(error)) return;
      if (signal?.aborted === true || performance.now() + pauseMs > deadline) throw error;
    }
    await pause(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
