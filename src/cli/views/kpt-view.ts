import type { ActionOutcome, PlanEvent, TimedEvent } from "../../events/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { identityKey, type ObjectIdentity } from "../../objects/index.ts";
import type { OutputStream } from "../context.ts";
import { type KptEventType, kptLine, kptValidationLine } from "./kpt-lines.ts";
import type { RunView } from "./run-view.ts";

export interface KptViewOptions {
  /** Whether changes of status are printed. */
  readonly verbose: boolean;
  /** Whether the plan is all that there is: a dry run. */
  readonly showsPlan?: boolean | undefined;
  /** Whether the run deletes an inventory; then what goes is deleted, not pruned. */
  readonly destroys?: boolean | undefined;
  /** For a command that only shows statuses: the inventory that they belong to. */
  readonly inventoryName?: string | undefined;
}

type Action = "Apply" | "Prune" | "Delete" | "Wait";
type Outcome = "Successful" | "Skipped" | "Failed" | "Timeout";

/**
 * The events of a run as `kpt live --output json` prints them. kpt works in phases and Keelson does not:
 * whenever an event belongs to another phase than the one before, that phase ends and the other begins,
 * as it does in kpt from one set of independent objects to the next.
 */
export function kptView(stdout: OutputStream, options: KptViewOptions): RunView {
  const run = new KptRun((line) => stdout.write(line), options);
  return {
    show: (event) => {
      run.show(event);
    },
    close: () => {},
  };
}

class KptRun {
  readonly #write: (line: string) => void;
  readonly #options: KptViewOptions;
  readonly #counts = new Map<Action, Map<Outcome, number>>();
  readonly #awaited = new Set<string>();
  #phase: Action | undefined;
  #hasBegun = false;

  constructor(write: (line: string) => void, options: KptViewOptions) {
    this.#write = write;
    this.#options = options;
  }

  show(event: TimedEvent): void {
    switch (event.type) {
      case "plan":
        if (this.#options.showsPlan === true) this.#showPlanned(event);
        return;
      case "apply":
        this.#showActuation("Apply", event);
        return;
      case "prune":
        this.#showActuation("Prune", event);
        return;
      case "delete":
        this.#showActuation("Delete", event);
        return;
      case "wait":
        this.#showWait(event.object, event.status);
        return;
      case "status":
        if (this.#options.verbose) this.#showStatus(event);
        return;
      case "validation":
        this.#write(kptValidationLine(event));
        return;
      case "error":
        this.#print("error", { error: event.summary });
        return;
      case "summary":
        if (this.#options.inventoryName === undefined) this.#end();
        return;
      case "build":
      case "component":
      case "group":
      case "load":
      case "log":
      case "warning":
    }
  }

  /** What a dry run would do counts as done; nothing is waited for. */
  #showPlanned({ object, status, message, reason }: PlanEvent): void {
    const gone: Action = this.#options.destroys === true ? "Delete" : "Prune";
    const isGoing = status === "prune" || status === "delete" || status === "keep";
    const isLeft = status === "skip" || status === "keep";
    const outcome = isLeft ? "Skipped" : "Successful";
    this.#act(isGoing ? gone : "Apply", object, outcome, isLeft ? (message ?? reason) : undefined);
  }

  /** kpt deletes first and waits then; where Keelson says that something is gone, both have happened. */
  #showActuation(
    action: Exclude<Action, "Wait">,
    event: Extract<TimedEvent, { readonly type: "apply" | "prune" | "delete" }>,
  ): void {
    const { object, status, message, reason } = event;
    if (status === "pending") return;
    const isDone = status === "successful" || status === "timeout";
    const outcome = isDone ? "Successful" : outcomes[status];
    this.#act(action, object, outcome, isDone ? undefined : (message ?? reason));
    if (isDone && action === "Apply") return;
    if (isDone) this.#showWait(object, "pending");
    this.#showWait(object, isDone ? status : "skipped");
  }

  #showWait(object: ObjectIdentity, status: ActionOutcome): void {
    if (status !== "pending") {
      this.#act("Wait", object, outcomes[status]);
      return;
    }
    // Keelson says again and again what it waits for, kpt once.
    const key = identityKey(object);
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    this.#enter("Wait");
    this.#print("wait", { ...object, status: "Pending" });
  }

  #showStatus({ object, status, message = "" }: Extract<TimedEvent, { type: "status" }>): void {
    const { inventoryName } = this.#options;
    const inventory = inventoryName === undefined ? {} : { "inventory-name": inventoryName };
    this.#print("status", { ...object, ...inventory, status, message });
  }

  #act(action: Action, object: ObjectIdentity, outcome: Outcome, error?: string): void {
    this.#enter(action);
    const counts = this.#counts.get(action) ?? new Map<Outcome, number>();
    this.#counts.set(action, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    const why = error === undefined ? {} : { error };
    this.#print(eventTypes[action], { ...object, status: outcome, ...why });
  }

  #enter(phase: Action): void {
    this.#begin();
    if (this.#phase === phase) return;
    this.#leave();
    this.#phase = phase;
    this.#print("group", { action: phase, status: "Started" });
  }

  #leave(): void {
    const action = this.#phase;
    this.#phase = undefined;
    if (action !== undefined)
      this.#print("group", { action, status: "Finished", ...this.#counted(action) });
  }

  /** An apply writes what it is going to own before anything else. */
  #begin(): void {
    if (!this.#hasBegun && this.#options.destroys !== true) this.#writeInventory();
    this.#hasBegun = true;
  }

  #end(): void {
    this.#begin();
    this.#leave();
    this.#writeInventory();
    for (const action of ["Apply", "Prune", "Delete", "Wait"] as const)
      if (this.#counts.has(action)) this.#print("summary", { action, ...this.#counted(action) });
  }

  #writeInventory(): void {
    for (const status of ["Started", "Finished"])
      this.#print("group", { action: "Inventory", status });
  }

  #counted(action: Action): JsonObject {
    const counts = this.#counts.get(action) ?? new Map<Outcome, number>();
    const of = (outcome: Outcome): number => counts.get(outcome) ?? 0;
    return {
      count: [...counts.values()].reduce((sum, count) => sum + count, 0),
      successful: of("Successful"),
      skipped: of("Skipped"),
      failed: of("Failed"),
      ...(action === "Wait" ? { timeout: of("Timeout") } : {}),
    };
  }

  #print(type: KptEventType, content: JsonObject): void {
    this.#write(kptLine(type, content));
  }
}

const outcomes = {
  successful: "Successful",
  skipped: "Skipped",
  failed: "Failed",
  timeout: "Timeout",
} as const satisfies Record<Exclude<ActionOutcome, "pending">, Outcome>;

const eventTypes = {
  Apply: "apply",
  Prune: "prune",
  Delete: "delete",
  Wait: "wait",
} as const satisfies Record<Action, KptEventType>;
