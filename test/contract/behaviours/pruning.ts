/** What leaves the input goes, and nothing else. */
import { expect } from "vitest";
import { type Behaviour, expectFine } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { deployment, map, namespaced, namespacePart } from "../parts.ts";

const onlyOwnNamespace = "the objects of a Bundle are all in the namespace of the Bundle";

/** The names of the objects that were deleted, in order. */
function deletions(cell: Cell): readonly string[] {
  return cell.way.line.calls
    .filter((call) => call.method === "DELETE" && cell.way.isOwnWrite(call))
    .map(({ path }) => path.split("/").at(-1) ?? "");
}

const chain = [map("a"), { ...map("b"), after: ["a"] }, { ...map("c"), after: ["b"] }];

/**
 * Holds back each deletion until nothing else is asked for, and gives the deletions that were asked for by
 * then: one after the other, if they wait for each other.
 */
function heldDeletions(cell: Cell): readonly (readonly string[])[] {
  const held: (readonly string[])[] = [];
  const own = new Set(chain.map(({ name }) => name));
  cell.way.line.intercept = async ({ method, path }) => {
    if (method !== "DELETE" || !own.has(path.split("/").at(-1) ?? "")) return undefined;
    await cell.settled();
    held.push(deletions(cell).filter((name) => own.has(name)));
    return undefined;
  };
  return held;
}

const oneAfterTheOther = [["c"], ["c", "b"], ["c", "b", "a"]];

export const pruning: readonly Behaviour[] = [
  {
    name: "prunes objects that left the input",
    given: "two objects, of which one leaves the input",
    must: "that one goes, and the other stays",
    expect: async (cell) => {
      expectFine(await cell.way.apply([map("a"), map("b")]));
      expectFine(await cell.way.apply([map("a")]));
      await cell.until(async () => (await cell.find(map("b"))) === undefined, "b is gone");
      expect(await cell.find(map("a"))).toBeDefined();
    },
  },
  {
    name: "prunes nothing as long as something that was applied is not ready",
    given: "an object that leaves the input while a new Deployment crashes",
    must: "it stays until the next run that goes well",
    notOn: { "real control plane": "only the sandbox has pods that crash when they are asked to" },
    notFor: {
      up: "in the dev loop a component goes when it is taken away, whatever else fails",
      "supply chain by controller":
        "as in Cartographer, each step is on its own: what is no longer stamped goes",
    },
    expect: async (cell) => {
      expectFine(await cell.way.apply([map("old"), map("beside")]));
      const { isFine } = await cell.way.apply([deployment("web", "crash-loop"), map("beside")]);
      expect(isFine).toBe(false);
      expect(await cell.find(map("old"))).toBeDefined();
      expectFine(await cell.way.apply([map("beside")]));
      await cell.until(async () => (await cell.find(map("old"))) === undefined, "old is gone");
    },
  },
  {
    name: "prunes dependents first",
    given: "three objects in a row of dependencies that all leave the input",
    must: "each is deleted before the one that it depends on",
    expect: async (cell) => {
      expectFine(await cell.way.apply([...chain, map("d")]));
      const held = heldDeletions(cell);
      expectFine(await cell.way.apply([map("d")]));
      await cell.until(async () => (await cell.find(map("a"))) === undefined, "a is gone");
      expect(held).toEqual(oneAfterTheOther);
    },
  },
  {
    name: "deletes dependents first on destroy",
    given: "three objects in a row of dependencies, and a destroy",
    must: "each is deleted before the one that it depends on",
    notFor: {
      "supply chain by controller":
        "what a Workload stamped goes by garbage collection, which knows no order",
    },
    expect: async (cell) => {
      expectFine(await cell.way.apply(chain));
      const held = heldDeletions(cell);
      expectFine(await cell.way.destroy());
      expect(held).toEqual(oneAfterTheOther);
    },
  },
  {
    name: "does not delete a replacement of the same name (uid precondition)",
    given: "an object that leaves the input, and somebody replaces it right before it is deleted",
    must: "the new one stays",
    expect: async (cell) => {
      const part = map("a");
      expectFine(await cell.way.apply([part, map("b")]));
      const replaced = Promise.withResolvers<void>();
      cell.way.line.intercept = async ({ method, path }) => {
        if (method !== "DELETE" || !path.endsWith("/configmaps/a")) return undefined;
        cell.way.line.intercept = () => undefined;
        await cell.delete(part);
        await cell.makeForeign(map("a", { v: "theirs" }));
        replaced.resolve();
        return undefined;
      };
      await cell.way.apply([map("b")]);
      await replaced.promise;
      expect(await cell.way.again()).toBeDefined();
      expect(await cell.data(part)).toEqual({ v: "theirs" });
    },
  },
  {
    name: "keeps a namespace that is in use",
    given: "a Namespace that leaves the input, with an object of ours in it that stays",
    must: "the Namespace stays",
    notFor: {
      "bundle by command": onlyOwnNamespace,
      "bundle by controller": onlyOwnNamespace,
      "supply chain by controller": "stamped objects are in the namespace of their Workload",
    },
    expect: async (cell) => {
      const other = `${cell.namespace}-other`;
      const [outer, inner] = [namespacePart(other), namespaced("inner", other)];
      try {
        expectFine(await cell.way.apply([outer, inner]));
        expectFine(await cell.way.apply([inner]));
        expect((await cell.get(outer)).metadata.deletionTimestamp).toBeUndefined();
        expect(await cell.find(inner)).toBeDefined();
      } finally {
        await cell.delete(outer);
      }
    },
  },
];
