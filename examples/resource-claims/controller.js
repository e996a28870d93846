import { hostname } from "node:os";
import { connectToCluster, jsonLog, runControllers } from "keelson/controller";
import { claimReconciler } from "./claim-reconciler.js";

const log = jsonLog({ level: "info", write: (line) => process.stdout.write(line) });
const key = process.env.RESOURCE_CLAIMS_KEY;
if (!key) {
  log.error({}, "RESOURCE_CLAIMS_KEY is not set: passwords are derived from it");
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

const cluster = await connectToCluster();
try {
  await runControllers({
    cluster,
    reconcilers: [claimReconciler(key)],
    signal: stop.signal,
    holder: `${hostname()}-${process.pid}`,
    // Of several processes one works at a time; the next one takes over when it stops.
    lease: { namespace: "default", name: "resource-claims" },
    log,
  });
} finally {
  await cluster.close();
}
