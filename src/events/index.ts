/**
 * The one stream of events that a run consists of. The terminal, JSON and the dashboard are views of
 * it; nothing is shown that is not an event.
 *
 * This folder is data and arithmetic: it knows neither clusters nor views.
 */
export type {
  ActionOutcome,
  ApplyEvent,
  BuildEvent,
  DeleteEvent,
  DiagnosticEvent,
  GroupEvent,
  LogEvent,
  PlanEvent,
  PruneEvent,
  RunEvent,
  StatusEvent,
  SummaryEvent,
  TimedEvent,
  WaitEvent,
} from "./run-event.ts";
export type { RunCounts } from "./run-counts.ts";
export { countEvents, emptyCounts } from "./run-counts.ts";
