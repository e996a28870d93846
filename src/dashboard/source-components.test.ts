import { expect, it } from "vitest";
import { clusterOver } from "../cluster/index.ts";
import {
  ensureGroupDefinition,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
} from "../inventory/index.ts";
import { identityKey } from "../objects/index.ts";
import { openSandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import type { DevView } from "./control-view.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import { LiveView } from "./live-view.ts";

const view: DevView = {
  update: { status: "ok", reason: "Applied", message: "", since: "" },
  runtime: { status: "ok", reason: "Ready", message: "it runs", since: "" },
  endpoints: [],
  changedFiles: [],
  updated: "",
  labels: [],
  isLocal: false,
};

const configMap = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "default", name });

it("puts objects where the source wants them, and what it does not know where it would be", async () => {
  const sandbox = openSandbox({ workloads: false });
  const cluster = clusterOver(new InProcessTransport(sandbox));
  await ensureGroupDefinition(cluster);
  const names = ["one", "two", "left-over"];
  for (const name of names)
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  await cluster.create({
    apiVersion: groupApiVersion,
    kind: groupKind,
    metadata: { name: "demo", namespace: "default", labels: { [inventoryIdLabel]: "demo" } },
    spec: { resources: names.map(configMap) },
  });
  const source: DashboardSource = {
    state: () => ({ name: "demo", status: "ok", message: "", diagnostics: [] }),
    group: () => ({ namespace: "default", name: "demo", id: "demo" }),
    components: () => [
      {
        name: "settings",
        view,
        objects: new Set([configMap("one"), configMap("two")].map(identityKey)),
        deployed: [],
        waitsFor: [],
      },
      { name: "tool", view, objects: new Set(), deployed: [], waitsFor: [] },
    ],
    subscribe: () => () => undefined,
    followLogs: () => () => undefined,
  };
  const live = new LiveView({ cluster, description: "", source });
  await new Promise<void>((resolve) => {
    live.subscribe({
      onChange: () => {
        if (live.view.isComplete) resolve();
      },
    });
  });
  expect(
    live.view.components.map(({ key, dev, message, objects }) => ({
      key,
      isOfSource: dev !== undefined,
      message,
      objects: objects.map(({ name }) => name),
    })),
  ).toMatchObject([
    { key: "default/demo/settings", isOfSource: true, message: "it runs", objects: ["one", "two"] },
    { key: "default/demo/tool", isOfSource: true, message: "it runs", objects: [] },
    { key: "default/demo/uncategorized", isOfSource: false, objects: ["left-over"] },
  ]);
  expect(live.view.control).toMatchObject({ isReadOnly: true, source: { name: "demo" } });
  live.close();
  await cluster.close();
  sandbox.close();
});
