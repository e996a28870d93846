import type { Controller } from "./controller.ts";
import { nodeStatus } from "./first-objects.ts";
import { InternalClient } from "./internal-client.ts";
import { type Runtime, nodes } from "./runtime.ts";

/** A node that somebody adds works like the first one: a simulated kubelet says that it is ready. */
export function nodeController(runtime: Runtime): Controller {
  const client = new InternalClient(runtime.api, "kubelet");
  return {
    name: "node",
    watches: [nodes],
    keysOf: ({ resource, type, stored }) =>
      resource === nodes && type === "ADDED" ? [stored] : [],
    reconcile: ({ name }) => {
      const node = client.get(nodes, "", name);
      const { conditions = [] } = (node?.["status"] ?? {}) as { conditions?: readonly unknown[] };
      if (node !== undefined && conditions.length === 0) {
        client.updateStatus(nodes, "", name, (live) => ({
          ...nodeStatus(name, runtime.timestamp()),
          ...(live["status"] as object | undefined),
        }));
      }
      return undefined;
    },
  };
}
