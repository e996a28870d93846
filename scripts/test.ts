/**
 * What `npm test` does: every static check, then every test suite. Arguments go to the runner, and
 * leave the checks out. Brings Go where it is missing, so that nothing has to be set up by hand.
 */
import { hasBinaries } from "../test/cluster/binaries.ts";
import { ensureGo } from "../test/cluster/go-toolchain.ts";
import { hasCommandLineTools } from "../test/cluster/kubectl.ts";
import { hasOracle } from "../test/starlark/oracle.ts";
import { run } from "./run.ts";

/** The suites with something that Go builds. */
const goSuites: ReadonlySet<string> = new Set([
  "cluster",
  "images",
  "installed",
  "kubectl",
  "starlark",
]);

const args = process.argv.slice(2);
if (needsGo() && !(hasBinaries() && hasCommandLineTools() && hasOracle())) {
  await ensureGo((line) => console.log(line));
}
const checked = args.length > 0 ? 0 : await run("node", ["scripts/check.ts"]);
process.exitCode = checked === 0 ? await run("vitest", ["run", ...args]) : checked;

function needsGo(): boolean {
  if (args.length === 0) return true;
  return args.some((word, index) => {
    const name = word.startsWith("--project=") ? word.slice(10) : word;
    return goSuites.has(name) && (name !== word || args[index - 1] === "--project");
  });
}
