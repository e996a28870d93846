import type { Cluster } from "../../src/cluster/index.ts";

/** Until a pod runs; the sandbox tells, nobody polls. */
export async function running(of: Cluster, name: string): Promise<void> {
  const pods = { apiVersion: "v1", kind: "Pod" };
  const { items, resourceVersion } = await of.list(pods, { namespace: "default" });
  const isRunning = (object: object): boolean =>
    (object as { status?: { phase?: string } }).status?.phase === "Running";
  if (items.some((item) => item.metadata.name === name && isRunning(item))) return;
  const abort = new AbortController();
  for await (const event of of.watch(pods, { resourceVersion, signal: abort.signal })) {
    if ("object" in event && isRunning(event.object)) break;
  }
  abort.abort();
}
