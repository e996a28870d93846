import { describe, expect, it } from "vitest";
import { ApiError, type Cluster } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { WorkloadChildren } from "./workload-children.ts";

const deployment: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "apps", uid: "d" },
  spec: { selector: { matchLabels: { app: "web" } } },
};

const replicaSet: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: {
    name: "web-1",
    ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "d" }],
  },
};

/** A cluster that counts the lists that were asked for. */
function listing(answer: (kind: string) => readonly KubernetesObject[]) {
  const asked: string[] = [];
  const list = (async ({ kind }, options) => {
    asked.push(`${kind} ${options?.labelSelector ?? ""}`);
    return await Promise.resolve({ items: answer(kind), resourceVersion: "1" });
  }) as Cluster["list"];
  return { asked, list };
}

describe("the pods of workloads", () => {
  it("are read once a workload has not been ready for a while, and then now and again", async () => {
    const children = new WorkloadChildren();
    const cluster = listing((kind) => (kind === "ReplicaSet" ? [replicaSet] : []));
    const look = (now: number) => children.look(cluster, [deployment], now);
    expect(await look(100_000)).toEqual({ hasRead: false, afterMs: 5_000 });
    expect(await look(105_000)).toEqual({ hasRead: true, afterMs: 10_000 });
    expect(await look(106_000)).toEqual({ hasRead: false, afterMs: 10_000 });
    expect(cluster.asked).toEqual(["Pod app=web", "ReplicaSet app=web"]);
    expect(children.of(deployment)).toEqual([replicaSet]);
    children.forget([deployment]);
    expect(children.of(deployment)).toEqual([]);
  });

  it("are left out where they may not be read", async () => {
    const children = new WorkloadChildren();
    const cluster = listing(() => {
      throw new ApiError(
        { verb: "list", resource: "pods" },
        { code: 403, reason: "Forbidden", message: "no" },
      );
    });
    await children.look(cluster, [deployment], 100_000);
    expect(await children.look(cluster, [deployment], 105_000)).toMatchObject({ hasRead: true });
    expect(children.of(deployment)).toEqual([]);
  });

  it("are forgotten when nobody has asked for long: their workload is gone", async () => {
    const children = new WorkloadChildren();
    const cluster = listing((kind) => (kind === "ReplicaSet" ? [replicaSet] : []));
    await children.look(cluster, [deployment], 100_000);
    await children.look(cluster, [deployment], 105_000);
    await children.look(cluster, [], 800_000);
    expect(children.of(deployment)).toEqual([]);
  });
});
