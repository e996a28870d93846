import { type Diagnostic, DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import { type BuildEvent, logLevel, type LogOrigin, type RunEvent } from "../events/index.ts";
import type { DevState } from "./dev-state.ts";
import { ownName } from "./diagnostic-logs.ts";

/** Puts what happens in a dev loop into the words of its events. */
export class DevReporter {
  readonly #state: DevState;
  readonly #signal: AbortSignal;

  constructor(state: DevState, signal: AbortSignal) {
    this.#state = state;
    this.#signal = signal;
  }

  log(component: string, origin: LogOrigin, message: string): void {
    const level = logLevel(message);
    this.#state.emit({ type: "log", resource: component, component, origin, level, message });
  }

  /** What the source prints while it is read, which is of no component. */
  printed(text: string): void {
    for (const message of text.replace(/\n$/, "").split("\n"))
      this.#state.emit({ type: "log", resource: ownName, level: logLevel(message), message });
  }

  tell(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics)
      this.#state.emit({ type: diagnostic.severity, ...diagnosticToJson(diagnostic) });
  }

  /** What a builder says is also what the component says whose image it is. */
  built(event: BuildEvent, component: string): void {
    this.#state.emit(event);
    if (event.status === "log") this.log(component, "build", event.message ?? "");
  }

  /** Something goes unnoticed from now on. */
  unwatched(summary: string, error: unknown): void {
    if (this.#signal.aborted) return;
    this.tell([{ code: "devloop.watch", severity: "warning", summary, detail: messageOf(error) }]);
  }

  /** Work that nobody waits for has thrown: bad input is told as such, the rest is a defect. */
  failed(error: unknown): void {
    if (this.#signal.aborted) return;
    if (error instanceof DiagnosticError) this.tell(error.diagnostics);
    else
      this.tell([
        {
          code: "cli.internal",
          severity: "error",
          summary: `Keelson failed unexpectedly: ${messageOf(error)}`,
        },
      ]);
  }

  /** What an apply says, as far as it is news to somebody who sees the status of components. */
  applied(event: RunEvent): void {
    switch (event.type) {
      case "apply":
        if (event.change !== "unchanged") this.#state.emit(event);
        return;
      case "build":
        if (event.status !== "cached") this.#state.emit(event);
        return;
      case "plan":
        if (event.status !== "unchanged") this.#state.emit(event);
        return;
      case "summary":
      case "group":
      case "wait":
      case "status":
        return;
      case "component":
      case "delete":
      case "error":
      case "load":
      case "log":
      case "prune":
      case "validation":
      case "warning":
        this.#state.emit(event);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
