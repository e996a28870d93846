import { describe, expect, it } from "vitest";
import { type Situation, situations } from "../../test/causes/situations.ts";
import { readinessOf } from "../readiness/index.ts";
import { causeDetails } from "./cause-details.ts";
import { causeOf } from "./cause-of.ts";
import type { CauseFacts } from "./cause-facts.ts";

function factsOf({ children, events, logs }: Situation): CauseFacts {
  return {
    now: Date.parse("2026-06-01T00:10:00Z"),
    childrenOf: ({ metadata }) => children?.[metadata.name ?? ""] ?? [],
    eventsOf: ({ metadata }) => events?.[metadata.name ?? ""] ?? [],
    logOf: (_pod, container) => logs?.[container]?.split("\n"),
  };
}

describe("the cause", () => {
  it.each(situations)("of $name is told in one sentence", (situation) => {
    const facts = factsOf(situation);
    const verdict = readinessOf(situation.object, facts);
    expect(verdict.message).toBe(situation.expected);
    if (situation.evidence !== undefined) expect(verdict.cause?.evidence).toBe(situation.evidence);
    if (verdict.cause !== undefined) expect(verdict.cause.action).toMatch(/^kubectl \S+ /);
  });

  it("is found in every situation but that of a custom resource, which says it itself", () => {
    const untold = situations.filter(
      (situation) => causeOf(situation.object, factsOf(situation)) === undefined,
    );
    expect(untold.map(({ name }) => name)).toEqual(["a custom resource that is not ready"]);
  });

  it("asks for no events of what is only two seconds old", () => {
    const found = situations.find(({ name }) => name === "an image that is being pulled");
    if (found === undefined) throw new Error("the situation is gone");
    const young = { ...factsOf(found), now: Date.parse("2026-06-01T00:00:01Z") };
    expect(causeOf(found.object, young)).toBeUndefined();
  });

  it("has its evidence and its command below it, and nothing twice", () => {
    const cause = { reason: "R", summary: "Error: no license, exit 1", isFinal: true };
    expect(
      causeDetails({ ...cause, evidence: "Error: no license", action: "kubectl logs x" }),
    ).toEqual(["→ kubectl logs x"]);
    expect(causeDetails({ ...cause, evidence: "no file" })).toEqual(["│ no file"]);
  });
});
