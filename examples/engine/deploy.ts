/**
 * Deploys a folder with the engine as a library, and says what happens line by line:
 *
 *   node deploy.ts deploy
 */
import { apply, connect, load, plan } from "keelson/engine";

const [folder = "deploy"] = process.argv.slice(2);
const cluster = await connect();
const desired = await load(folder, { cluster, inventory: { name: "engine-example" } });
try {
  // What the folder says wins over what others changed by hand.
  const planned = await plan(desired, { forceConflicts: true });
  for (const { node, changes } of await planned.changes()) {
    const fields = changes.map(({ path }) => path.replace(/^\./, "")).join(", ");
    console.log(`${node.action} ${node.identity.kind} ${node.identity.name} ${fields}`.trim());
  }
  // Exactly this plan, or nothing at all.
  const run = apply(planned, { forceConflicts: true });
  for await (const event of run) {
    if (event.type === "wait" && event.status !== "pending")
      console.log(`${event.object.kind} ${event.object.name}: ${event.message}`);
  }
  const { hasFailures, counts } = await run.result;
  console.log(hasFailures ? "failed" : `done: ${counts.apply.successful} applied`);
  process.exitCode = hasFailures ? 1 : 0;
} finally {
  await desired.close();
  await cluster.close();
}
