import { expect, it } from "vitest";
import type { DevSnapshot } from "../../devloop/index.ts";
import { junitReport } from "./junit-report.ts";

it("is XML whatever a name holds", () => {
  const snapshot: Pick<DevSnapshot, "components"> = { components: [] };
  const hostile = '\u001B]0;x\u0007\u0000a<&">\uFFFE\uFFFF\uD800b\u{1F600}';
  const report = junitReport(hostile, snapshot, 0);
  expect(report).toContain('name="\\u0000a&lt;&amp;&quot;&gt;\uFFFD\uFFFD\uFFFDb\u{1F600}"');
});
