import { durationMs } from "../objects/index.ts";

/** The moment when a time such as `30s` is over, counted from now; never, when there is no limit. */
export function deadlineAfter(limit: string | undefined): number {
  const limitMs = limit === undefined ? undefined : durationMs(limit);
  return limitMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + limitMs;
}
