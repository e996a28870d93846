import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("the lockfile names no registry", async () => {
  expect(await readFile("package-lock.json", "utf8")).not.toMatch(/"resolved"|https?:\/\/registry/);
});
