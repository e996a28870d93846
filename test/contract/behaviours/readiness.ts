/** When something is ready, and what is reported while it is not. */
import { expect } from "vitest";
import { fieldAt } from "../../../src/json/index.ts";
import { type Behaviour, expectFine, expectReported } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { deployment, judged, type Judged, map } from "../parts.ts";

/** Applies an object that is not ready, sees the run wait, and lets the object be ready. */
async function waits(cell: Cell, kind: Judged): Promise<void> {
  const part = judged(kind, "gauge");
  let hasEnded = false;
  const run = cell.way.apply([map("beside"), part]).finally(() => {
    hasEnded = true;
  });
  await cell.until(async () => (await cell.find(map("beside"))) !== undefined, "beside is there");
  await cell.until(async () => (await cell.find(part)) !== undefined, "the gauge is there");
  await cell.patch(part, { status: { phase: "Starting" } });
  expect(hasEnded).toBe(false);
  await cell.bringUp(part);
  expectFine(await run);
}

export const readiness: readonly Behaviour[] = [
  {
    name: "readiness by kind",
    given: "a Deployment",
    must: "the run is fine when its pods are available, and not before",
    expect: async (cell) => {
      const part = deployment("web");
      expectFine(await cell.way.apply([part]));
      expect(fieldAt(await cell.get(part), "status", "availableReplicas")).toBe(1);
    },
  },
  {
    name: "readiness by a field named in the definition",
    given: "an object whose definition has CrReadyWhenFieldPath and CrReadyWhenFieldValue",
    must: "the run is fine when the field has the value, and not before",
    expect: (cell) => waits(cell, "Gauge"),
  },
  {
    name: "readiness by a CEL expression in the definition",
    given: "an object whose definition has keelson.dev/ready-when",
    must: "the run is fine when the expression is true, and not before",
    expect: (cell) => waits(cell, "Dial"),
  },
  {
    name: "readiness by a CEL expression on the object",
    given: "an object with keelson.dev/ready-when",
    must: "the run is fine when the expression is true, and not before",
    expect: (cell) => waits(cell, "Meter"),
  },
  {
    name: "names the failing child",
    given: "a Deployment whose pods crash",
    must: "the run says how their program ends",
    notOn: { "real control plane": "only the sandbox has pods that crash when they are asked to" },
    expect: async (cell) => {
      const outcome = await cell.way.apply([deployment("web", "crash-loop"), map("beside")]);
      expect(outcome.isFine).toBe(false);
      expectReported(outcome, /exit 1/);
    },
  },
  {
    name: "reports a timeout, and what was not ready",
    given: "an object that does not become ready in the time that the run has",
    must: "the run fails, and names the object and what it waited for",
    notFor: {
      "bundle by controller": "a controller has no end: it waits, and says what for",
      "supply chain by controller": "a controller has no end: it waits, and says what for",
      up: "keelson up has no end: it waits, and says what for",
    },
    expect: async (cell) => {
      const outcome = await cell.way.apply([judged("Gauge", "gauge")], { readyWithinMs: 300 });
      expect(outcome.isFine).toBe(false);
      expectReported(outcome, /gauge.*(?:timed out|not ready|in time).*status\.phase/s);
    },
  },
  {
    name: "reports what it waits for",
    given: "an object that is not ready",
    must: "the object and the field that it waits for are reported before it is ready",
    expect: async (cell) => {
      const part = judged("Gauge", "gauge");
      const run = cell.way.apply([part]);
      await cell.until(async () => {
        const reported = await cell.way.reported();
        return reported.includes("gauge") && reported.includes("status.phase");
      }, "it says what it waits for");
      await cell.bringUp(part);
      expectFine(await run);
    },
  },
];
