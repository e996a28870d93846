import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import type { Controller } from "./controller.ts";

const events = "/events";
const lifetimeMs = 3_600_000;
const mostPerNamespace = 900;
const surplusStep = 100;
const checkMs = lifetimeMs / 60;

/** Forgets events after an hour, and the oldest of a namespace that has very many. */
export function eventExpiry({ store, clock }: ApiContext): Controller {
  const queues = new Map<string, string[]>();
  const nextChecks = new Map<string, number>();

  const isDue = (namespace: string, name: string): boolean => {
    const event = store.get(events, namespace, name)?.object;
    return event !== undefined && lastSeenMs(event) + lifetimeMs <= clock.now();
  };

  return {
    name: "event-expiry",
    watches: [events],
    keysOf: ({ resource, type, stored }) => {
      if (resource !== events || type !== "ADDED") return [];
      let queue = queues.get(stored.namespace);
      if (queue === undefined) {
        queue = [];
        queues.set(stored.namespace, queue);
      }
      queue.push(stored.name);
      // Surplus is cut in steps: looking at the whole queue for each event would be quadratic.
      return queue.length === 1 || queue.length > mostPerNamespace + surplusStep
        ? [{ namespace: stored.namespace, name: "" }]
        : [];
    },
    reconcile: ({ namespace }) => {
      const queue = queues.get(namespace) ?? [];
      const surplus = queue.splice(0, Math.max(0, queue.length - mostPerNamespace));
      for (const name of surplus) store.delete(events, namespace, name);
      const untilCheck = (nextChecks.get(namespace) ?? 0) - clock.now();
      if (surplus.length > 0 && untilCheck > 0) return untilCheck;
      nextChecks.set(namespace, clock.now() + checkMs);
      const kept = queue.filter((name) => {
        if (isDue(namespace, name)) store.delete(events, namespace, name);
        return store.get(events, namespace, name) !== undefined;
      });
      if (kept.length === 0) {
        queues.delete(namespace);
        nextChecks.delete(namespace);
        return undefined;
      }
      queues.set(namespace, kept);
      return checkMs;
    },
  };
}

/** Events live from their creation on; those that are counted up live on from the last time. */
function lastSeenMs(event: KubernetesObject): number {
  const series = event["series"] as { readonly lastObservedTime?: string } | undefined;
  const created = Date.parse(event.metadata.creationTimestamp ?? "");
  const seen = series?.lastObservedTime ?? event["lastTimestamp"];
  const seenMs = typeof seen === "string" ? Date.parse(seen) : Number.NaN;
  return Number.isNaN(seenMs) ? created : Math.max(created, seenMs);
}
