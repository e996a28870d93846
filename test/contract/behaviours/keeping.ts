/** What an object says of its own removal. */
import { expect } from "vitest";
import { type Behaviour, expectFine } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { detach, keep, map, type Part, protect } from "../parts.ts";

/** Applies two objects, of which the first then leaves the input. */
async function leave(cell: Cell, leaving: Part): Promise<void> {
  const staying = map("staying");
  expectFine(await cell.way.apply([leaving, staying]));
  await cell.way.apply([staying]);
  await cell.settled();
}

async function expectReleased(cell: Cell, part: Part): Promise<void> {
  const object = await cell.get(part);
  expect(object.metadata.deletionTimestamp).toBeUndefined();
  expect(cell.way.owns(object)).toBe(false);
}

async function expectKept(cell: Cell, part: Part): Promise<void> {
  expect((await cell.get(part)).metadata.deletionTimestamp).toBeUndefined();
}

export const keeping: readonly Behaviour[] = [
  {
    name: "protect keeps an object that left the input",
    given: "an object with keelson.dev/protect that is no longer in the input",
    must: "it stays",
    expect: async (cell) => {
      const part = map("a", { v: "1" }, protect);
      await leave(cell, part);
      await expectKept(cell, part);
    },
  },
  {
    name: "protect keeps an object on destroy",
    given: "an object with keelson.dev/protect, and a destroy",
    must: "it stays, and what is beside it goes",
    expect: async (cell) => {
      const [part, other] = [map("a", { v: "1" }, protect), map("b")];
      expectFine(await cell.way.apply([part, other]));
      await cell.way.destroy();
      await cell.settled();
      expect(await cell.find(other)).toBeUndefined();
      await expectKept(cell, part);
    },
  },
  {
    name: "on-remove: keep keeps an object that left the input, and releases it",
    given: "an object with cli-utils.sigs.k8s.io/on-remove: keep that is no longer in the input",
    must: "it stays and belongs to nobody",
    expect: async (cell) => {
      const part = map("a", { v: "1" }, keep);
      await leave(cell, part);
      await expectReleased(cell, part);
    },
  },
  {
    name: "deletion: detach keeps an object that left the input, and releases it",
    given: "an object with client.lifecycle.config.k8s.io/deletion: detach that is no longer there",
    must: "it stays and belongs to nobody",
    expect: async (cell) => {
      const part = map("a", { v: "1" }, detach);
      await leave(cell, part);
      await expectReleased(cell, part);
    },
  },
  {
    name: "on-remove: keep keeps an object on destroy, and releases it",
    given: "an object with cli-utils.sigs.k8s.io/on-remove: keep, and a destroy",
    must: "it stays and belongs to nobody",
    expect: async (cell) => {
      const [part, other] = [map("a", { v: "1" }, keep), map("b")];
      expectFine(await cell.way.apply([part, other]));
      await cell.way.destroy();
      await cell.settled();
      expect(await cell.find(other)).toBeUndefined();
      await expectReleased(cell, part);
    },
  },
];
