import { type DiagnosticJson, formatLocation } from "../diagnostics/index.ts";
import type { LogEvent } from "../events/index.ts";

type TimedLog = LogEvent & { readonly timestamp: string };

/** What lines are called that are of no component. */
export const ownName = "keelson";

const mostDetails = 10;

/** A diagnostic as lines among those of components, for whoever sees only lines. */
export function diagnosticLogs({
  timestamp,
  severity,
  code,
  summary,
  source,
  detail = "",
  hint,
}: DiagnosticJson & { readonly timestamp: string }): readonly TimedLog[] {
  const level = severity === "error" ? "error" : "warn";
  const lines = [
    `${severity}[${code}]: ${summary}`,
    ...(source === undefined ? [] : [`  at ${formatLocation(source)}`]),
    ...(detail === "" ? [] : detail.split("\n").slice(0, mostDetails)).map((line) => `  ${line}`),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
  ];
  return lines.map((message) => ({ type: "log", resource: ownName, level, message, timestamp }));
}
