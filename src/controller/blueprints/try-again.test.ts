import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { ObjectEvent } from "../runtime/event-recorder.ts";
import { tryAgain } from "./try-again.ts";

const owner = {
  apiVersion: "kontinue.io/v1alpha1",
  kind: "Workload",
  metadata: { name: "web", namespace: "apps" },
};

/** The events that are recorded, and what is thrown. */
function outcome(ready: object, refusals: readonly string[], afterMs?: number): readonly unknown[] {
  const events: ObjectEvent[] = [];
  const recorder = { record: (_about: unknown, event: ObjectEvent) => events.push(event) };
  try {
    const status = { conditions: [{ type: "Ready", ...ready }] };
    return [events, tryAgain(owner, status, refusals, afterMs, { events: recorder as never })];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [diagnostic] = error.diagnostics;
    return [events, diagnostic?.code, diagnostic?.subject, diagnostic?.summary];
  }
}

describe("what was refused is tried again", () => {
  it("nothing was", () => {
    expect(outcome({ status: "True", reason: "Ready" }, [])).toEqual([[], { kind: "done" }]);
  });

  it("nothing was, and something is waited for", () => {
    const waiting = { status: "Unknown", reason: "WaitingForDependencies" };
    expect(outcome(waiting, [], 1_000)).toEqual([[], { kind: "again", afterMs: 1_000 }]);
  });

  it("the server said no", () => {
    expect(
      outcome({ status: "False", reason: "TemplateRejectedByAPIServer" }, ["no", "never"]),
    ).toEqual([
      [{ type: "Warning", reason: "Refused", message: "no" }],
      "blueprints.stamping-refused",
      "Workload apps/web",
      "no",
    ]);
  });

  it("the account cannot be used", () => {
    const ready = { status: "False", reason: "ServiceAccountError", message: "it does not exist" };
    expect(outcome(ready, [])).toEqual([
      [{ type: "Warning", reason: "ServiceAccountError", message: "it does not exist" }],
      "blueprints.stamping-refused",
      "Workload apps/web",
      "it does not exist",
    ]);
  });
});
