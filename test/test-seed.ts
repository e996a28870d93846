/**
 * The seed of every random test: the same in every run, so that a failure is the fault of a change.
 * KEELSON_TEST_SEED tries another one; `random` takes a new one each time. Failures print their seed.
 */
import * as fc from "fast-check";

const given = process.env["KEELSON_TEST_SEED"] ?? "";

export const testSeed =
  given === "random" ? Date.now() % 2 ** 31 : given === "" ? 1 : Number(given);

fc.configureGlobal({ seed: testSeed });
