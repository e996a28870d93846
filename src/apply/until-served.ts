import { setTimeout as pause } from "node:timers/promises";
import { isUnserved } from "../cluster/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { ruleBook } from "../readiness/index.ts";
import type { NodeContext } from "./run-plan.ts";

const firstPauseMs = 20;
const longestPauseMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Resolves when the kind of an object is served. A definition is established a moment before the server
 * tells of its kind; of kinds that this run defines, that moment is waited for.
 */
export async function untilServed(
  { apiVersion, kind }: KubernetesObject,
  { cluster, plan, signal }: NodeContext,
): Promise<void> {
  if ((await cluster.resources()).find({ apiVersion, kind }) !== undefined) return;
  const isDefined = ruleBook(plan.definitions ?? [])(groupOf(apiVersion), kind) !== undefined;
  if (!isDefined) return;
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
