/** What waits for what, and what is filled in when its turn comes. */
import { expect } from "vitest";
import { type Behaviour, expectFine } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { contractGroup, dependsOn, judged, map, type Part } from "../parts.ts";

/** Applies parts of which the second waits for a Gauge, and looks before and after that is up. */
async function inOrder(
  cell: Cell,
  parts: readonly Part[],
  gauge: Part,
  status: Readonly<Record<string, string>> = {},
): Promise<Part> {
  const waiting = parts.at(-1) ?? gauge;
  const run = cell.way.apply(parts);
  await cell.until(async () => (await cell.find(gauge)) !== undefined, "the gauge is there");
  await cell.until(async () => (await cell.find(map("beside"))) !== undefined, "beside is there");
  await cell.settled();
  expect(await cell.find(waiting)).toBeUndefined();
  await cell.bringUp(gauge, status);
  expectFine(await run);
  return waiting;
}

export const order: readonly Behaviour[] = [
  {
    name: "waits for depends-on inside the input",
    given: "an object that depends on another, which is not ready yet",
    must: "it is made when the other one is ready",
    expect: async (cell) => {
      const gauge = judged("Gauge", "gauge");
      const waiting = { ...map("waiting"), after: ["gauge"] };
      await inOrder(cell, [map("beside"), gauge, waiting], gauge);
      expect(await cell.find(waiting)).toBeDefined();
    },
  },
  {
    name: "waits for depends-on outside the input",
    given: "an object with depends-on that names an object of somebody else, not ready yet",
    must: "it is made when the other one is ready",
    expect: async (cell) => {
      const gauge = judged("Gauge", "gauge");
      await cell.makeForeign(gauge);
      const reference = `${contractGroup}/namespaces/${cell.namespace}/Gauge/gauge`;
      const waiting = map("waiting", { v: "1" }, dependsOn(reference));
      await inOrder(cell, [map("beside"), waiting], gauge);
      expect(await cell.find(waiting)).toBeDefined();
    },
  },
  {
    name: "fills holes in the order of their sources",
    given: "three objects, of which each takes a value of the one before",
    must: "the last has the value of the first",
    expect: async (cell) => {
      const parts: readonly Part[] = [
        { ...map("c", { url: "" }), takes: { from: "b", path: "data.url", into: "data.url" } },
        { ...map("b", { url: "" }), takes: { from: "a", path: "data.host", into: "data.url" } },
        map("a", { host: "db" }),
      ];
      expectFine(await cell.way.apply(parts));
      expect(await cell.data(map("c"))).toEqual({ url: "db" });
      const [first, second] = parts;
      if (first === undefined || second === undefined) throw new Error("no parts");
      const changed = [first, second, map("a", { host: "cache" })];
      expectFine(await cell.way.apply(changed));
      expect(await cell.data(map("c"))).toEqual({ url: "cache" });
    },
  },
  {
    name: "fills a hole with a value of the status of its source",
    given: "an object that takes a value of the status of another, which comes when that is ready",
    must: "the first run fills it in",
    expect: async (cell) => {
      const gauge = judged("Gauge", "gauge");
      const waiting: Part = {
        ...map("waiting", { url: "" }),
        takes: { from: "gauge", path: "status.host", into: "data.url" },
      };
      await inOrder(cell, [map("beside"), gauge, waiting], gauge, { host: "10.0.0.1" });
      expect(await cell.data(waiting)).toEqual({ url: "10.0.0.1" });
    },
  },
];
