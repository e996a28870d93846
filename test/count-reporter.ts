import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line of counts, which other tools read. */
// oxlint-disable-next-line import/no-default-export -- the runner loads reporters by default export
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "skipped" : state]++;
      }
      if (module.state() === "failed" && module.errors().length > 0) counts.failed++;
    }
    const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}
