import { testSeed } from "../test-seed.ts";
import { assert, asyncProperty } from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { anyProgram } from "./any-program.ts";
import { withoutDifferences } from "./differences.ts";
import { ensureOracle, runOracle } from "./oracle.ts";
import { runOurs } from "./run-ours.ts";

let oracle = "";
beforeAll(async () => {
  oracle = await ensureOracle();
});

/** How ours ends a program that theirs, which has no limits, goes on with. */
const ourLimits = /Starlark computation cancelled: |Error: integer too large/;

const seed = testSeed;
const runs = Number(process.env["KEELSON_TEST_RUNS"] ?? 300);

test(`generated programs do what they do in go.starlark.net (seed ${seed})`, async () => {
  let finished = 0;
  await assert(
    asyncProperty(anyProgram, async (text) => {
      const said = await runOracle(oracle, text);
      const ours = withoutDifferences(runOurs(text));
      if (said === undefined) {
        // Theirs has no limits; ours ends such a program.
        expect(ours).toMatch(ourLimits);
        return;
      }
      const theirs = withoutDifferences(said);
      if (ourLimits.test(ours)) {
        // What it printed until then must be the same.
        expect(theirs.startsWith(ours.slice(0, ours.indexOf("Traceback")))).toBe(true);
        return;
      }
      expect(ours).toBe(theirs);
      if (!theirs.includes("\nError") && !theirs.startsWith("cmdline:")) finished++;
    }),
    { seed, numRuns: runs, interruptAfterTimeLimit: 90_000 },
  );
  // Enough programs are to run to their end; otherwise only their beginnings would be compared.
  expect(finished).toBeGreaterThan(runs / 5);
}, 120_000);
