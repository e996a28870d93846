import type { Cause } from "../causes/index.ts";
import type { Component } from "../assembly/index.ts";
import type {
  AxisStatus,
  Endpoint,
  LogEvent,
  RunEvent,
  RuntimeStatus,
  TimedEvent,
  UpdateStatus,
} from "../events/index.ts";
import { diagnosticLogs } from "./diagnostic-logs.ts";

/** How one component is: plain data for every view. */
export interface ComponentSnapshot {
  readonly name: string;
  readonly kind: Component["kind"];
  readonly labels: readonly string[];
  readonly triggerMode: "auto" | "manual";
  readonly dependsOn: readonly string[];
  readonly update: AxisStatus<UpdateStatus>;
  readonly runtime: AxisStatus<RuntimeStatus>;
  readonly endpoints: readonly Endpoint[];
  /** Files that changed since the last update began. */
  readonly changedFiles: readonly string[];
  /** When the last update ended, and how long it took. */
  readonly lastUpdate?: { readonly at: string; readonly tookMs: number } | undefined;
}

/** How the source is: read well, or not, and then what is shown is what was read before. */
export interface SourceSnapshot {
  readonly status: "loading" | "ok" | "error";
  readonly message: string;
}

export interface DevSnapshot {
  /** Counts every event; a reader that saw this number has seen all before it. */
  readonly revision: number;
  readonly source: SourceSnapshot;
  readonly components: readonly ComponentSnapshot[];
}

export type TimedLog = LogEvent & { readonly timestamp: string };

const mostLogs = 20_000;

/** The state of a dev loop that views read: a snapshot, and every event after it. */
export class DevState {
  readonly #components = new Map<string, ComponentSnapshot>();
  readonly #listeners = new Set<(event: TimedEvent) => void>();
  readonly #now: () => number;
  #logs: TimedLog[] = [];
  #source: SourceSnapshot = { status: "loading", message: "" };
  #revision = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  snapshot(): DevSnapshot {
    const components = [...this.#components.values()];
    return { revision: this.#revision, source: this.#source, components };
  }

  component(name: string): ComponentSnapshot | undefined {
    return this.#components.get(name);
  }

  /** The last lines of all components, and what went wrong between them. */
  logs(): readonly TimedLog[] {
    return this.#logs;
  }

  /** Told of every event from now on. Returns how to stop. */
  subscribe(listener: (event: TimedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit(event: RunEvent): void {
    this.#revision++;
    const timed: TimedEvent = { timestamp: this.time(), ...event };
    if (timed.type === "log") this.#logs.push(timed);
    else if (timed.type === "error" || timed.type === "warning")
      this.#logs.push(...diagnosticLogs(timed));
    // Cut in half at once, so that a full buffer does not move with every line.
    if (this.#logs.length > mostLogs) this.#logs = this.#logs.slice(mostLogs / 2);
    for (const listener of this.#listeners) listener(timed);
  }

  setSource(source: SourceSnapshot): void {
    this.#source = source;
  }

  /** A component is there, or is another than it was. */
  put(
    component: Omit<ComponentSnapshot, "endpoints" | "runtime" | "update" | "changedFiles">,
  ): void {
    const known = this.#components.get(component.name);
    this.#components.set(component.name, {
      ...component,
      update: known?.update ?? this.#axis("none", "NotStarted", "it has not been started"),
      runtime: known?.runtime ?? this.#axis("none", "NotStarted", "it has not been started"),
      endpoints: known?.endpoints ?? [],
      changedFiles: known?.changedFiles ?? [],
      lastUpdate: known?.lastUpdate,
    });
  }

  remove(name: string): void {
    const known = this.#components.get(name);
    if (known === undefined) return;
    this.#components.delete(name);
    const { update, runtime } = known;
    this.emit({ type: "component", component: name, update, runtime, endpoints: [], isGone: true });
  }

  update(name: string, status: UpdateStatus, reason: string, message: string): void {
    const known = this.#components.get(name);
    if (known === undefined || isSame(known.update, status, reason, message)) return;
    const update = this.#axis(status, reason, message, known.update);
    const isOver = known.update.status === "in_progress" && (status === "ok" || status === "error");
    const lastUpdate = isOver
      ? { at: this.time(), tookMs: this.#now() - Date.parse(known.update.since) }
      : known.lastUpdate;
    this.#set({ ...known, update, lastUpdate });
  }

  runtime(
    name: string,
    status: RuntimeStatus,
    reason: string,
    message: string,
    cause?: Cause,
  ): void {
    const known = this.#components.get(name);
    if (known === undefined) return;
    const isNews =
      !isSame(known.runtime, status, reason, message) ||
      known.runtime.cause?.evidence !== cause?.evidence;
    if (!isNews) return;
    const runtime = this.#axis(status, reason, message, known.runtime);
    this.#set({ ...known, runtime: cause === undefined ? runtime : { ...runtime, cause } });
  }

  endpoints(name: string, endpoints: readonly Endpoint[]): void {
    const known = this.#components.get(name);
    if (known === undefined || JSON.stringify(known.endpoints) === JSON.stringify(endpoints))
      return;
    this.#set({ ...known, endpoints });
  }

  changedFiles(name: string, changedFiles: readonly string[]): void {
    const known = this.#components.get(name);
    if (known !== undefined) this.#components.set(name, { ...known, changedFiles });
  }

  time(): string {
    return new Date(this.#now()).toISOString();
  }

  #set(snapshot: ComponentSnapshot): void {
    this.#components.set(snapshot.name, snapshot);
    const { name, update, runtime, endpoints } = snapshot;
    this.emit({ type: "component", component: name, update, runtime, endpoints });
  }

  #axis<Status extends string>(
    status: Status,
    reason: string,
    message: string,
    before?: AxisStatus<Status>,
  ): AxisStatus<Status> {
    const since = before?.status === status ? before.since : this.time();
    return { status, reason, message, since };
  }
}

function isSame(
  before: AxisStatus<string>,
  status: string,
  reason: string,
  message: string,
): boolean {
  return before.status === status && before.reason === reason && before.message === message;
}
