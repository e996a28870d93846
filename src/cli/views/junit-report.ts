import { causeDetails } from "../../causes/index.ts";
import { plainLog } from "../../diagnostics/index.ts";
import { type ComponentSnapshot, type DevSnapshot, isReady } from "../../devloop/index.ts";

/** A report that build servers read: each component is a test case. */
export function junitReport(
  suite: string,
  { components }: Pick<DevSnapshot, "components">,
  tookMs: number,
): string {
  const cases = components.map(testCase);
  const failures = cases.filter(({ result }) => result === "failure").length;
  const skipped = cases.filter(({ result }) => result === "skipped").length;
  const attributes = `name="${escape(suite)}" tests="${cases.length}" failures="${failures}" skipped="${skipped}" time="${seconds(tookMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `  <testsuite ${attributes}>`,
    ...cases.map(({ text }) => text),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(component: ComponentSnapshot): {
  readonly result: "success" | "failure" | "skipped";
  readonly text: string;
} {
  const { name, kind, update, runtime, lastUpdate } = component;
  const open = `    <testcase classname="${kind}" name="${escape(name)}" time="${seconds(lastUpdate?.tookMs ?? 0)}"`;
  if (isReady(component)) return { result: "success", text: `${open}/>` };
  if (update.status === "none")
    return { result: "skipped", text: `${open}>\n      <skipped/>\n    </testcase>` };
  const why = update.status === "ok" ? runtime : update;
  const details = why.cause === undefined ? [] : causeDetails(why.cause);
  const body = details.length === 0 ? "/>" : `>${escape(details.join("\n"))}</failure>`;
  const failure = `      <failure type="${escape(why.reason)}" message="${escape(why.message)}"${body}`;
  return { result: "failure", text: `${open}>\n${failure}\n    </testcase>` };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function escape(text: string): string {
  // XML can hold no control characters, and none of these.
  return plainLog(text)
    .replaceAll(/[\uFFFE\uFFFF]|\p{Surrogate}/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
