import { type Cluster, clusterOver } from "../cluster/index.ts";
import type { Sandbox } from "./create-sandbox.ts";
import { InProcessTransport } from "./in-process-transport.ts";

/** The API of a sandbox of this process, as its administrator. Closing it closes the sandbox. */
export function inProcessCluster(
  sandbox: Sandbox,
  options: { readonly namespace?: string | undefined } = {},
): Cluster {
  return clusterOver(new InProcessTransport(sandbox), {
    ...options,
    as: (credentials) => clusterOver(new InProcessTransport(sandbox, credentials), options),
  });
}
