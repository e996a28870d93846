import type { Cause } from "./cause.ts";
import type { ClusterEvent } from "./events.ts";
import { missingReference } from "./missing-reference.ts";

/** Why the volumes of a pod are not there, from its newest event about them. */
export function mountCause(events: readonly ClusterEvent[]): Cause | undefined {
  const event = events.find(
    ({ reason }) => reason === "FailedMount" || reason === "FailedAttachVolume",
  );
  if (event === undefined) return undefined;
  const { message, reason, first: since } = event;
  const volume = /volume "([^"]+)"/.exec(message)?.[1];
  const name = volume === undefined ? "a volume" : `volume ${volume}`;
  const missing = missingReference(message);
  const isElsewhere = /Multi-Attach error/.test(message);
  const why = isElsewhere
    ? "it is still attached to another node"
    : (missing ?? message.split(/ ?: /).at(-1) ?? message);
  const action = reason === "FailedMount" ? "mounted" : "attached";
  const summary =
    missing === undefined ? `${name} cannot be ${action}: ${why}` : `${missing} (${name})`;
  return { reason, summary, evidence: message, since, isFinal: false };
}
