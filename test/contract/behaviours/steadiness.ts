/** What is written again, and what is not. */
import { expect } from "vitest";
import { type Behaviour, expectFine, expectReported } from "../behaviour.ts";
import { deployment, map } from "../parts.ts";

const noIgnore =
  "which changes are ignored is said by ignoreChanges of a program; here a field that is not in the input is left alone";

export const steadiness: readonly Behaviour[] = [
  {
    name: "writes nothing when nothing changed",
    given: "a second look at the same input",
    must: "no object is written, and all keep their versions",
    expect: async (cell) => {
      const parts = [map("a"), { ...map("b"), after: ["a"] }, deployment("web")];
      expectFine(await cell.way.apply(parts));
      const maps = [map("a"), map("b")];
      const before = await Promise.all(maps.map((part) => cell.version(part)));
      const { line, isOwnWrite } = cell.way;
      const writes = line.calls.filter(isOwnWrite).length;
      expect(writes).toBeGreaterThanOrEqual(3);
      expectFine(await cell.way.apply(parts));
      expect(await Promise.all(maps.map((part) => cell.version(part)))).toEqual(before);
      expect(line.calls.filter(isOwnWrite).length).toBe(writes);
    },
  },
  {
    name: "leaves ignored fields alone",
    given: "an object with ignoreChanges, of which that field changes",
    must: "the field keeps the value that it has",
    notFor: {
      yaml: noIgnore,
      stdin: noIgnore,
      tiltfile: noIgnore,
      "bundle by command": noIgnore,
      "bundle by controller": noIgnore,
      "supply chain by controller": noIgnore,
      up: noIgnore,
    },
    expect: async (cell) => {
      const part = (value: string, other: string) => ({
        ...map("a", { ignored: value, other }),
        ignores: ["data.ignored"],
      });
      expectFine(await cell.way.apply([part("1", "1")]));
      expectFine(await cell.way.apply([part("2", "2")]));
      expect(await cell.data(map("a"))).toEqual({ ignored: "1", other: "2" });
    },
  },
  {
    name: "leaves an object alone that asks for it",
    given:
      "an object with client.lifecycle.config.k8s.io/mutation: ignore, which somebody changes, and the input, too",
    must: "it stays as it is live; deleted, it is created again",
    expect: async (cell) => {
      const part = (value: string) =>
        map("a", { v: value }, { "client.lifecycle.config.k8s.io/mutation": "ignore" });
      expectFine(await cell.way.apply([part("1"), map("b")]));
      await cell.patch(part("1"), { data: { v: "theirs" } });
      expectFine(await cell.way.apply([part("2"), map("b", { v: "2" })]));
      expect(await cell.data(map("b"))).toEqual({ v: "2" });
      expect(await cell.data(map("a"))).toEqual({ v: "theirs" });
      await cell.delete(part("2"));
      expectFine(await cell.way.again());
      await cell.until(async () => (await cell.find(part("2"))) !== undefined, "a is there again");
      expect(await cell.data(map("a"))).toEqual({ v: "2" });
    },
  },
  {
    name: "keeps fields of other managers",
    given: "an object to which somebody added a field that the input does not have",
    must: "the next change leaves the field as it is",
    expect: async (cell) => {
      expectFine(await cell.way.apply([map("a", { v: "1" })]));
      await cell.patch(map("a"), { data: { theirs: "3" } });
      expectFine(await cell.way.apply([map("a", { v: "2" })]));
      expect(await cell.data(map("a"))).toEqual({ v: "2", theirs: "3" });
    },
  },
  {
    name: "recreates a deleted object (drift)",
    given: "an object that somebody deletes",
    must: "it is there again: by the next run, or by the controller itself",
    expect: async (cell) => {
      const part = map("a", { v: "1" });
      expectFine(await cell.way.apply([part, map("b")]));
      await cell.delete(part);
      expectFine(await cell.way.again());
      await cell.until(async () => (await cell.find(part)) !== undefined, "a is there again");
      expect(await cell.data(part)).toEqual({ v: "1" });
    },
  },
  {
    name: "reverts an edited field (drift)",
    given: "an object of which somebody changes a field that the input has",
    must: "it has the value of the input again: by the next run with --force-conflicts, or by itself",
    notFor: {
      up: "keelson up takes no fields by force: it reports the conflict, and keelson apply --force-conflicts takes them",
    },
    expect: async (cell) => {
      const part = map("a", { v: "1" });
      expectFine(await cell.way.apply([part]));
      await cell.patch(part, { data: { v: "theirs" } });
      expectFine(await cell.way.again({ forces: true }));
      await cell.until(
        async () => JSON.stringify(await cell.data(part)) === '{"v":"1"}',
        "a has its value again",
      );
    },
  },
  {
    name: "reports a conflict, with field and manager",
    given: "an object of which somebody applied a field that the input changes",
    must: "the run names the field and the manager, and leaves the field",
    notFor: {
      "bundle by controller": "a controller takes its fields back: it has nobody to ask",
      "supply chain by controller": "a controller takes its fields back: it has nobody to ask",
    },
    expect: async (cell) => {
      expectFine(await cell.way.apply([map("a", { v: "1" })]));
      await cell.patch(map("a"), { data: { v: "theirs" } });
      const outcome = await cell.way.apply([map("a", { v: "2" })]);
      expect(outcome.isFine).toBe(false);
      expectReported(outcome, /somebody/);
      expectReported(outcome, /\.data\.v/);
      expect(await cell.data(map("a"))).toEqual({ v: "theirs" });
    },
  },
];
