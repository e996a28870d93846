import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cellsOn } from "./cells.ts";
import { knownFailures } from "./known-failures.ts";
import { runContract } from "./run-contract.ts";
import { behaviours } from "./table.ts";
import { servers, ways } from "./way-in.ts";

const root = join(import.meta.dirname, "../..");
const leastBehaviours = 25;
/** Fewer words are no reason. */
const shortestReason = 20;

describe("the table of the contract", () => {
  it("has enough behaviours, each once, for every way in", () => {
    const names = behaviours.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(leastBehaviours);
    expect(new Set(names).size).toBe(names.length);
    for (const server of servers) expect(cellsOn(server)).toHaveLength(names.length * ways.length);
  });

  it.each(servers)("says why, where a cell has no test: %s", (server) => {
    for (const { is } of cellsOn(server)) {
      if (is.kind === "cannot apply") expect(is.reason.length).toBeGreaterThan(shortestReason);
      if (is.kind === "fails") expect(is.known.wrong.length).toBeGreaterThan(shortestReason);
      if (is.kind !== "shown elsewhere") continue;
      const { file, test } = is.shownBy;
      expect(readFileSync(join(root, file), "utf8")).toContain(`"${test}"`);
    }
  });

  it("knows only failures of cells that are there", () => {
    const tested = cellsOn("sandbox").flatMap(({ way, behaviour, is }) =>
      is.kind === "fails" ? [`${way} / ${behaviour.name}`] : [],
    );
    expect(tested.toSorted()).toEqual(Object.keys(knownFailures).toSorted());
  });
});

runContract("sandbox", () => undefined);
