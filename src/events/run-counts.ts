import type { ActionOutcome, PlanEvent, RunEvent } from "./run-event.ts";

type Outcomes = Readonly<Record<Exclude<ActionOutcome, "pending">, number>>;

/** How many objects ended how, by what was done with them. */
export interface RunCounts {
  readonly apply: Outcomes & {
    readonly created: number;
    readonly configured: number;
    readonly unchanged: number;
  };
  readonly prune: Outcomes;
  readonly delete: Outcomes;
  readonly wait: Outcomes;
  /** How many objects the plan treats how; a dry run has only these. */
  readonly plan: Readonly<Partial<Record<PlanEvent["status"], number>>>;
}

const none: Outcomes = { successful: 0, skipped: 0, failed: 0, timeout: 0 };

export function emptyCounts(): RunCounts {
  return {
    apply: { ...none, created: 0, configured: 0, unchanged: 0 },
    prune: none,
    delete: none,
    wait: none,
    plan: {},
  };
}

/** The counts after one more event. */
export function countEvents(counts: RunCounts, event: RunEvent): RunCounts {
  switch (event.type) {
    case "apply": {
      if (event.status === "pending") return counts;
      const apply = { ...counts.apply, [event.status]: counts.apply[event.status] + 1 };
      const change = event.change === "recreated" ? "configured" : event.change;
      return {
        ...counts,
        apply: change === undefined ? apply : { ...apply, [change]: apply[change] + 1 },
      };
    }
    case "prune":
    case "delete":
    case "wait": {
      if (event.status === "pending") return counts;
      const outcomes = counts[event.type];
      return {
        ...counts,
        [event.type]: { ...outcomes, [event.status]: outcomes[event.status] + 1 },
      };
    }
    case "plan": {
      const { [event.status]: before = 0 } = counts.plan;
      return { ...counts, plan: { ...counts.plan, [event.status]: before + 1 } };
    }
    case "build":
    case "log":
    case "load":
    case "component":
    case "group":
    case "status":
    case "validation":
    case "error":
    case "warning":
    case "summary":
      return counts;
  }
}
