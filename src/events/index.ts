/**
 * The one stream of events that a run consists of. The terminal, JSON and the dashboard are views of
 * it; nothing is shown that is not an event.
 *
 * This folder is data and arithmetic: it knows neither clusters nor views.
 */
export type {
  ActionOutcome,
  AxisStatus,
  BuildEvent,
  ComponentEvent,
  DiagnosticEvent,
  Endpoint,
  LogEvent,
  MessageLevel,
  LogOrigin,
  PlanEvent,
  RunEvent,
  RuntimeStatus,
  TimedEvent,
  UpdateStatus,
} from "./run-event.ts";
export { isAtLeast, logLevel } from "./log-level.ts";
export type { RunCounts } from "./run-counts.ts";
export { countEvents, emptyCounts } from "./run-counts.ts";
export type { Emit } from "./emit.ts";
