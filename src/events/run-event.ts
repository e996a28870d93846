import type { Cause } from "../causes/index.ts";
import type { DiagnosticJson } from "../diagnostics/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";
import type { RunCounts } from "./run-counts.ts";

/** What became of one thing that a run set out to do. */
export type ActionOutcome = "pending" | "successful" | "skipped" | "failed" | "timeout";

interface ObjectEvent<Type extends string> {
  readonly type: Type;
  readonly object: ObjectIdentity;
  /** The component that the object belongs to, where there are components. */
  readonly component?: string | undefined;
  /** The name of the resource of a program that the object is. */
  readonly resource?: string | undefined;
  /** What to call the object instead of its identity, where it stands for something else. */
  readonly label?: string | undefined;
  readonly status: string;
  /** A word for programs. */
  readonly reason?: string | undefined;
  /** A sentence for the user. */
  readonly message?: string | undefined;
  /** Why it is not ready, where something tells. */
  readonly cause?: Cause | undefined;
}

/** A phase of the run begins or ends. */
export interface GroupEvent {
  readonly type: "group";
  readonly action: "load" | "inventory" | "plan" | "apply" | "prune" | "delete" | "wait";
  readonly status: "started" | "finished";
  readonly message?: string | undefined;
}

/** What is going to happen to one object. */
export interface PlanEvent extends ObjectEvent<"plan"> {
  readonly status:
    | "create"
    | "update"
    | "unchanged"
    | "recreate"
    | "prune"
    | "keep"
    | "skip"
    | "delete";
}

export interface ApplyEvent extends ObjectEvent<"apply"> {
  readonly status: ActionOutcome;
  /** What the write did; absent until it has ended. */
  readonly change?: "created" | "configured" | "unchanged" | "recreated" | undefined;
}

export interface PruneEvent extends ObjectEvent<"prune"> {
  readonly status: ActionOutcome;
}

export interface DeleteEvent extends ObjectEvent<"delete"> {
  readonly status: ActionOutcome;
}

/** An object is waited for, or has become ready, or will not. */
export interface WaitEvent extends ObjectEvent<"wait"> {
  readonly status: ActionOutcome;
}

/** How an object is: Current, InProgress, Failed, Terminating, NotFound, Unknown. */
export type StatusEvent = ObjectEvent<"status">;

/** An image is built, or was already; a line that its build printed. */
export interface BuildEvent {
  readonly type: "build";
  /** The image as it was declared. */
  readonly image: string;
  readonly status: "started" | "log" | "cached" | "successful";
  readonly message?: string | undefined;
}

/** A line of what something writes: a provider at work on a resource, a pod, a local command. */
export interface LogEvent {
  readonly type: "log";
  /** The name of the resource, the component or the pod. */
  readonly resource: string;
  readonly message: string;
  readonly component?: string | undefined;
  readonly origin?: LogOrigin | undefined;
  readonly level?: MessageLevel | undefined;
}

export type LogOrigin = "build" | "command" | "pod" | "provider" | "server";
export type MessageLevel = "debug" | "info" | "warn" | "error";

/** A source is read, by a command that reads it again when it changes. */
export interface LoadEvent {
  readonly type: "load";
  readonly status: "started" | "successful" | "failed";
  /** The files whose change asked for it. */
  readonly files: readonly string[];
  readonly message?: string | undefined;
}

/** How a component is, on two axes: what was last done with it, and how it runs. */
export interface ComponentEvent {
  readonly type: "component";
  readonly component: string;
  readonly update: AxisStatus<UpdateStatus>;
  readonly runtime: AxisStatus<RuntimeStatus>;
  readonly endpoints: readonly Endpoint[];
  /** The component is no longer part of the project. */
  readonly isGone?: boolean | undefined;
}

/** One axis of a component's status. */
export interface AxisStatus<Status extends string> {
  readonly status: Status;
  /** A word for programs. */
  readonly reason: string;
  /** A sentence for the user. */
  readonly message: string;
  /** Why it is not well, where something tells. */
  readonly cause?: Cause | undefined;
  /** Since when the status is the same; RFC 3339. */
  readonly since: string;
}

export type UpdateStatus = "none" | "pending" | "in_progress" | "ok" | "error" | "not_applicable";
export type RuntimeStatus = "none" | "unknown" | "pending" | "ok" | "error" | "not_applicable";

/** Where a component can be reached from this machine, or what belongs to it. */
export interface Endpoint {
  readonly url: string;
  readonly name?: string | undefined;
}

/** Input that is invalid, or a failure of the run itself. */
export interface DiagnosticEvent extends DiagnosticJson {
  readonly type: "validation" | "error" | "warning";
}

/** The last event of every run. */
export interface SummaryEvent {
  readonly type: "summary";
  readonly counts: RunCounts;
}

export type RunEvent =
  | GroupEvent
  | PlanEvent
  | ApplyEvent
  | PruneEvent
  | DeleteEvent
  | WaitEvent
  | StatusEvent
  | BuildEvent
  | LogEvent
  | LoadEvent
  | ComponentEvent
  | DiagnosticEvent
  | SummaryEvent;

/** An event as views get it. */
export type TimedEvent = RunEvent & { readonly timestamp: string };
