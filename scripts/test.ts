/** What `npm test` does: every static check, then every test suite. Arguments go to the runner. */
import { run } from "./run.ts";

const args = process.argv.slice(2);
const checked = args.length > 0 ? 0 : await run("node", ["scripts/check.ts"]);
process.exitCode = checked === 0 ? await run("vitest", ["run", ...args]) : checked;
