/** Writes down what a real API server answers to every case: `npm run conformance:record [group…]`. */
import { startControlPlane } from "../cluster/control-plane.ts";
import { conformanceCases } from "./cases/index.ts";
import { writeRecorded, type Recorded } from "./recorded.ts";
import { runCase } from "./run-case.ts";
import { connectKubeconfigFile } from "./target.ts";

const wanted = process.argv.slice(2);
const given = process.env["KEELSON_TEST_KUBECONFIG"];
const controlPlane =
  given === undefined ? await startControlPlane({ report: console.log }) : undefined;
const target = connectKubeconfigFile(given ?? controlPlane?.kubeconfig ?? "");
try {
  for (const [group, cases] of Object.entries(conformanceCases)) {
    if (wanted.length > 0 && !wanted.includes(group)) continue;
    const recorded: Recorded = {};
    for (const [index, each] of cases.entries()) {
      if (each.sandboxOnly !== undefined) continue;
      recorded[each.name] = await runCase(
        target,
        each,
        `${group.replaceAll(/[^a-z]/g, "")}${index}x${Date.now() % 100_000}`,
      );
    }
    writeRecorded(group, recorded);
    console.log(`${group}: ${Object.keys(recorded).length} cases`);
  }
} finally {
  target.close();
  await controlPlane?.stop();
}
