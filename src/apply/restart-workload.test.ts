import { expect, it } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { restartWorkload } from "./restart-workload.ts";

it("refuses workloads whose pods only their owner replaces", async () => {
  const cluster = clusterOver(new InProcessTransport(openSandbox({ workloads: false })));
  const labels = { app: "db" };
  const workload: KubernetesObject = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "default" },
    spec: {
      serviceName: "db",
      updateStrategy: { type: "OnDelete" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
    },
  };
  await cluster.create(workload);
  const restarting = restartWorkload({
    cluster,
    workload,
    now: new Date(),
    timeoutMs: 1_000,
    emit: () => undefined,
    signal: new AbortController().signal,
  });
  await expect(restarting).rejects.toThrow("update strategy OnDelete leaves its pods to you");
});
