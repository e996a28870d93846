/**
 * Reports what somebody changed in the cluster since the last deploy, and exits with 1 if anything:
 *
 *   node drift.ts deploy
 */
import { connect, load, plan } from "keelson/engine";

const [folder = "deploy"] = process.argv.slice(2);
const cluster = await connect();
const desired = await load(folder, { cluster, inventory: { name: "engine-example" } });
try {
  // As if fields that others took over were to be set back.
  const planned = await plan(desired, { forceConflicts: true });
  const drifted = (await planned.changes()).filter(
    ({ node, changes }) => node.action === "create" || changes.length > 0,
  );
  for (const { node, changes } of drifted) {
    const { kind, name } = node.identity;
    if (node.action === "create") console.log(`${kind} ${name} is missing`);
    for (const { path, before, after } of changes)
      console.log(
        `${kind} ${name} ${path}: ${JSON.stringify(before)}, not ${JSON.stringify(after)}`,
      );
  }
  const count = drifted.length === 1 ? "1 object" : `${drifted.length} objects`;
  console.log(drifted.length === 0 ? "no drift" : `drift in ${count}`);
  process.exitCode = drifted.length === 0 ? 0 : 1;
} finally {
  await desired.close();
  await cluster.close();
}
