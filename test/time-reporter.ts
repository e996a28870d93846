import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** How long one test file took, in milliseconds. */
export interface FileTime {
  readonly project: string;
  readonly file: string;
  readonly tests: number;
  /** Loading its modules, before the first test. */
  readonly loadMs: number;
  /** Its tests and hooks. */
  readonly runMs: number;
  readonly slowest: readonly { readonly name: string; readonly ms: number }[];
}

/** Writes the time of every file to the path in KEELSON_TEST_TIMES. */
// oxlint-disable-next-line import/no-default-export -- the runner loads reporters by default export
export default class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env["KEELSON_TEST_TIMES"];
    if (path === undefined) return;
    writeFileSync(path, JSON.stringify(modules.map((module) => timeOf(module))));
  }
}

function timeOf(module: TestModule): FileTime {
  const times = module.diagnostic();
  const tests = [...module.children.allTests()];
  const slowest = tests
    .map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 }))
    .toSorted((left, right) => right.ms - left.ms)
    .slice(0, 3);
  return {
    project: module.project.name,
    file: relative(process.cwd(), module.moduleId),
    tests: tests.length,
    loadMs:
      times.environmentSetupDuration +
      times.prepareDuration +
      times.collectDuration +
      times.setupDuration,
    runMs: times.duration,
    slowest,
  };
}
