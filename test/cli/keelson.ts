/** The command line straight from its sources, for tests that need a process of their own. */
import { main } from "../../src/cli/main.ts";

process.exitCode = await main(process.argv.slice(2), "0.0.0-test");
