import { setTimeout as pause } from "node:timers/promises";
import { isUnserved } from "../cluster/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import type { NodeContext } from "./run-plan.ts";

const firstPauseMs = 20;
const longestPauseMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Resolves when the kind of an object is served. Kinds that nobody defines are refused before a run
 * begins; but a definition is established a moment before the server tells of its kind.
 */
export async function untilServed(
  { apiVersion, kind }: KubernetesObject,
  { cluster, signal }: NodeContext,
): Promise<void> {
  const resources = await cluster.resources();
  if (resources.find({ apiVersion, kind }) !== undefined) return;
  if (resources.unavailableGroups.has(groupOf(apiVersion))) return;
  const deadline = Date.now() + longestWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      await cluster.resource({ apiVersion, kind });
      return;
    } catch (error) {
      if (!isUnserved(error) || signal.aborted || Date.now() + pauseMs > deadline) throw error;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
