import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "./run-scenario.ts";

const folder = join(import.meta.dirname, "scenarios");

/** Each file tells a story of one program, and is what its commands print when it is run. */
describe("scenarios of programs", () => {
  it.each(readdirSync(folder))("%s", async (file) => {
    const path = join(folder, file);
    await expect(await runScenario(readFileSync(path, "utf8"))).toMatchFileSnapshot(path);
  });
});
