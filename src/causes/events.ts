import type { KubernetesObject } from "../objects/index.ts";
import type { CauseFacts } from "./cause-facts.ts";

/** An event as far as causes are found in it. */
export interface ClusterEvent {
  readonly reason: string;
  readonly message: string;
  /** RFC 3339: when it was first seen, and last. */
  readonly first: string | undefined;
  readonly last: string;
  /** The container that it is about, if it is about one. */
  readonly container: string | undefined;
}

/** How long ordinary steps may take before somebody asks what takes so long. */
const patienceMs = 2_000;

/** The events about an object, the newest first; none while it is too young to be in trouble. */
export function eventsOf(object: KubernetesObject, facts: CauseFacts): readonly ClusterEvent[] {
  const created = Date.parse(object.metadata.creationTimestamp ?? "");
  if (facts.now - created < patienceMs) return [];
  return (facts.eventsOf?.(object) ?? [])
    .map(clusterEvent)
    .toSorted((one, other) => other.last.localeCompare(one.last));
}

function clusterEvent(event: KubernetesObject): ClusterEvent {
  const fields = event as unknown as {
    readonly reason?: string;
    readonly message?: string;
    readonly firstTimestamp?: string | null;
    readonly lastTimestamp?: string | null;
    readonly eventTime?: string | null;
    readonly series?: { readonly lastObservedTime?: string };
    readonly involvedObject?: { readonly fieldPath?: string };
  };
  const first =
    fields.firstTimestamp ?? fields.eventTime ?? event.metadata.creationTimestamp ?? undefined;
  return {
    reason: fields.reason ?? "",
    message: fields.message ?? "",
    first,
    last: fields.series?.lastObservedTime ?? fields.lastTimestamp ?? first ?? "",
    container: /\{(.*)\}/.exec(fields.involvedObject?.fieldPath ?? "")?.[1],
  };
}
