import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { programNames } from "./program-world.ts";

test("the program of the guide has the names that the guide says", async () => {
  const guide = readFileSync(new URL("../../docs/programs.md", import.meta.url), "utf8");
  const program = /```ts\n([^]*?)```/.exec(guide)?.[1] ?? "";
  const europe = /```\n(dev:[^]*?)\n```/.exec(guide)?.[1]?.split("\n") ?? [];
  const states = europe.map((name) => name.replace(/([#-])eu/, "$1us"));
  expect(await programNames(program)).toEqual([...europe, ...states]);
});
