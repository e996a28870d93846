/**
 * What `npm test` does: every static check, then every test suite. Arguments go to the runner, and
 * leave the checks out. Brings Go where it is missing, so that nothing has to be set up by hand.
 */
import { hasBinaries } from "../test/cluster/binaries.ts";
import { ensureGo } from "../test/cluster/go-toolchain.ts";
import { hasCommandLineTools } from "../test/cluster/kubectl.ts";
import { hasOracle } from "../test/starlark/oracle.ts";
import { run } from "./run.ts";

const args = process.argv.slice(2);
if (args.length === 0) {
  const isBuilt = hasBinaries() && hasCommandLineTools() && hasOracle();
  if (!isBuilt) await ensureGo((line) => console.log(line));
}
const checked = args.length > 0 ? 0 : await run("node", ["scripts/check.ts"]);
process.exitCode = checked === 0 ? await run("vitest", ["run", ...args]) : checked;
