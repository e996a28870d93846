import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** What one run of the suites came to. */
export interface RunOutcome {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  readonly skipped: number;
}

/** Writes what failed, and why, to the path in KEELSON_TEST_FAILURES. */
// oxlint-disable-next-line import/no-default-export -- the runner loads reporters by default export
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message?: string }[]): void {
    const path = process.env["KEELSON_TEST_FAILURES"];
    if (path === undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const outcome: RunOutcome = {
      passed: states.filter((state) => state === "passed").length,
      skipped: states.filter((state) => state === "skipped" || state === "pending").length,
      failed: [
        ...tests
          .filter((test) => test.result().state === "failed")
          .map((test) => ({
            name: `${test.module.relativeModuleId} > ${test.fullName}`,
            message: test.result().errors?.[0]?.message ?? "",
          })),
        ...modules.flatMap((module) =>
          [
            ...module.errors(),
            ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
          ].map(({ message }) => ({ name: `${module.relativeModuleId} (whole file)`, message })),
        ),
        ...unhandled.map(({ message = "" }) => ({ name: "(outside of tests)", message })),
      ],
    };
    writeFileSync(path, JSON.stringify(outcome));
  }
}
