/** What is not ours, and what others did to what is. */
import { expect } from "vitest";
import { type Behaviour, expectFine, expectReported } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { fixedMap, map, type Part, recreate } from "../parts.ts";

const noPolicy = "a Bundle takes only what it made: it has no field for an inventory policy";

/** An object of the same name that belongs to somebody, by every mark that there is. */
async function taken(cell: Cell, part: Part): Promise<void> {
  const owner = await cell.makeForeign(map("somebody"));
  const { apiVersion, kind, metadata } = owner;
  await cell.makeForeign(part, {
    annotations: { "config.k8s.io/owning-inventory": "somebody" },
    ownerReferences: [
      { apiVersion, kind, name: "somebody", uid: metadata.uid ?? "", controller: true },
    ],
  });
}

export const ownership: readonly Behaviour[] = [
  {
    name: "adopts an unowned object where the policy asks for it",
    given: "an object of the same name that belongs to nobody, and the policy adopt",
    must: "it is taken over and changed",
    notFor: {
      "bundle by controller": noPolicy,
      "supply chain by controller":
        "a Workload takes only what its chain stamped: it has no field for an inventory policy",
      up: "keelson up has no --inventory-policy; keelson apply --inventory-policy adopt takes it over once",
    },
    expect: async (cell) => {
      await cell.makeForeign(map("a", { v: "theirs" }));
      const options = { adopts: true, forces: true };
      expectFine(await cell.way.apply([map("a", { v: "ours" })], options));
      const object = await cell.get(map("a"));
      expect(object["data"]).toEqual({ v: "ours" });
      expect(cell.way.owns(object)).toBe(true);
    },
  },
  {
    name: "refuses a foreign object, and names its owner",
    given: "an object of the same name that belongs to somebody, and another part beside it",
    must: "it stays as it is, the run says who has it, and the part beside it is made",
    expect: async (cell) => {
      await taken(cell, map("a", { v: "theirs" }));
      const outcome = await cell.way.apply([map("a", { v: "ours" }), map("b")]);
      expect(outcome.isFine).toBe(false);
      expectReported(outcome, /somebody/);
      expect(await cell.data(map("a"))).toEqual({ v: "theirs" });
      await cell.until(async () => (await cell.find(map("b"))) !== undefined, "b is made");
    },
  },
  {
    name: "recovers when the foreign object is deleted",
    given: "a run that refused an object, and somebody deletes that object",
    must: "it is made as it should be: by the next run, or by the controller itself",
    expect: async (cell) => {
      const part = map("a", { v: "ours" });
      await taken(cell, map("a", { v: "theirs" }));
      expect(await cell.way.apply([part])).toMatchObject({ isFine: false });
      await cell.delete(part);
      expectFine(await cell.way.again());
      expect(await cell.data(part)).toEqual({ v: "ours" });
    },
  },
  {
    name: "takes over fields of client-side kubectl apply",
    given: "one of our objects to which kubectl apply without --server-side added a field",
    must: "the next change removes the field, because the input does not have it",
    expect: async (cell) => {
      const part = map("a", { v: "1" });
      expectFine(await cell.way.apply([part]));
      await cell.patch(part, { data: { goes: "2" } }, "kubectl-client-side-apply");
      expectFine(await cell.way.apply([map("a", { v: "2" })]));
      expect(await cell.data(part)).toEqual({ v: "2" });
    },
  },
  {
    name: "refuses to change an immutable field, with a hint",
    given: "an immutable ConfigMap whose data change",
    must: "it stays, and the run names keelson.dev/on-immutable: recreate",
    notFor: {
      program: "a program replaces a resource whose fields cannot be changed, and plans that",
    },
    expect: async (cell) => {
      const part = fixedMap("a", { v: "1" });
      expectFine(await cell.way.apply([part]));
      const refused = await cell.way.apply([fixedMap("a", { v: "2" })]);
      expect(refused.isFine).toBe(false);
      expect(await cell.data(part)).toEqual({ v: "1" });
      expectReported(refused, /keelson\.dev\/on-immutable: recreate/);
    },
  },
  {
    name: "replaces an object whose immutable field changed, where its annotation asks for it",
    given: "an immutable ConfigMap with keelson.dev/on-immutable: recreate whose data change",
    must: "there is another one with the new data",
    expect: async (cell) => {
      const part = fixedMap("a", { v: "1" }, recreate);
      expectFine(await cell.way.apply([part]));
      const before = await cell.get(part);
      expectFine(await cell.way.apply([fixedMap("a", { v: "2" }, recreate)]));
      const after = await cell.get(part);
      expect(after["data"]).toEqual({ v: "2" });
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
    },
  },
];
