/** The controllers of a namespace in a process of their own, which a test can kill: `node controller-process.ts KUBECONFIG NAMESPACE NAME`. */
import { connectTo } from "../../src/cluster/index.ts";
import { blueprintReconcilers, runControllers } from "../../src/controller/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";

const [kubeconfig = "", namespace = "", holder = ""] = process.argv.slice(2);
const cluster = connectTo(await settingsOf(kubeconfig));
const stop = new AbortController();
process.once("SIGTERM", () => {
  stop.abort();
});
await runControllers({
  cluster,
  reconcilers: blueprintReconcilers({ namespace }),
  signal: stop.signal,
  holder,
  lease: { namespace, name: "controller" },
  leaseSeconds: 2,
  onLeading: () => {
    process.stdout.write("leading\n");
  },
});
await cluster.close();
