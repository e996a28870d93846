import { glob, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { diagnosticCodes } from "../../src/diagnostics/index.ts";

describe("diagnostic codes", () => {
  it("are each shown by a test", async () => {
    let tests = "";
    for await (const file of glob(["src/**/*.test.ts", "test/**/*.ts", "test/**/scenarios/*.txt"]))
      tests += await readFile(file, "utf8");
    const untested = Object.keys(diagnosticCodes).filter((code) => !tests.includes(code));
    expect(untested).toEqual([]);
  });
});
