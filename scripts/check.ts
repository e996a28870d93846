/** Every static check, side by side: format, lint, types, layers, dead code, generated pages, package. */
import { capture, childrenCpuSeconds } from "./run.ts";

const checks: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ["format", "oxfmt", ["--check"]],
  ["lint", "oxlint", ["--type-aware", "--max-warnings", "0"]],
  ["types", "tsc", ["-p", "tsconfig.json", "--checkers", "1", ...incremental("sources")]],
  ["types of the page", "tsc", ["-p", "web/tsconfig.json", ...incremental("page")]],
  ["layers", "node", ["scripts/check-layers.ts"]],
  ["dead code", "knip", ["--cache"]],
  ["generated docs", "node", ["scripts/generate-docs.ts", "--check"]],
  ["package", "publint", ["--strict", "--pack", "false"]],
];

// Compiler and linter are Go programs that end soon: memory is cheaper than collecting it. Several checkers of the
// compiler each resolve the types that files share.
process.env["GOGC"] ??= "400";

const results = await Promise.all(
  checks.map(async ([name, command, args]) => ({ name, ...(await capture(command, args)) })),
);
for (const { name, status, output, elapsedMs } of results) {
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${Math.round(elapsedMs)} ms)`);
  if (status !== 0) console.log(output.trim());
}
console.log(`${childrenCpuSeconds().toFixed(0)} s of CPU`);
process.exitCode = results.some(({ status }) => status !== 0) ? 1 : 0;

/** Only what changed since the last time is checked again. */
function incremental(name: string): readonly string[] {
  return ["--incremental", "--tsBuildInfoFile", `node_modules/.cache/types-${name}.json`];
}
