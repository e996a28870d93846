import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ClusterActions } from "../../src/cli/dashboard/cluster-actions.ts";
import { withProviders } from "../../src/cli/dashboard/with-providers.ts";
import type { ComponentDetail, GraphLayout } from "../../src/dashboard/dashboard-view.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { DashboardClient } from "../cli/dashboard-client.ts";
import { quietContext } from "../cli/quiet-context.ts";
import { runKeelson } from "../cli/run-keelson.ts";
import { deployment } from "../devloop/dev-project.ts";
import { useTestCluster } from "./test-cluster.ts";

const password = "correct-horse-battery-staple";
const test = useTestCluster();
let server: DashboardServer;
let client: DashboardClient;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "keelson-dashboard-"));
  const { namespace, cluster } = test;
  const stdin = [
    {
      apiVersion: "kpt.dev/v1alpha1",
      kind: "ResourceGroup",
      metadata: { name: "shop", namespace },
    },
    JSON.parse(deployment("web")) as object,
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "web" },
      stringData: { password },
    },
  ];
  const ran = await runKeelson(
    ["live", "apply", "-", "--kubeconfig", inject("kubeconfig"), "--namespace", namespace],
    {
      stdin: stdin.map((object) => JSON.stringify(object)).join("\n---\n"),
      env: { HOME: home },
    },
  );
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
  const context = quietContext(home);
  server = await serveDashboard({
    cluster,
    description: "a real control plane",
    port: 0,
    page: new URL("../../web/", import.meta.url),
    actions: new ClusterActions(context, {
      cluster,
      withProviders: withProviders(context, undefined),
    }),
  });
  client = new DashboardClient(server.link);
  await client.enter();
});

afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true });
});

const key = (): string => `${test.namespace}/shop-${test.namespace}/web`;

it("reads what is applied, how it is, and what happened to it; restarts and deletes it", async () => {
  const { components, inventories } = await client.view(({ components: all }) =>
    all.some((each) => each.key === key() && each.status === "Current"),
  );
  expect(inventories.some(({ namespace }) => namespace === test.namespace)).toBe(true);
  expect(components.find((each) => each.key === key())).toMatchObject({
    workload: "Deployment",
    offers: ["restart", "delete"],
  });
  const detail = async (): Promise<ComponentDetail> => {
    const { body } = await client.ask(`/api/component?key=${encodeURIComponent(key())}`);
    return JSON.parse(body) as ComponentDetail;
  };
  // Pods and events are watched on their own, and may be told of a moment after the component.
  await expect.poll(async () => (await detail()).pods).toHaveLength(1);
  await expect
    .poll(async () => (await detail()).events.map(({ reason }) => reason))
    .toContain("ScalingReplicaSet");
  expect((await detail()).objects[0]?.yaml).toContain("kind: Deployment");
  const secrets = await client.ask(
    `/api/component?key=${encodeURIComponent(key().replace(/web$/, "uncategorized"))}`,
  );
  expect(secrets.body).toContain("kind: Secret");
  expect(secrets.body).not.toContain(Buffer.from(password).toString("base64"));
  const graph = JSON.parse((await client.ask("/api/graph")).body) as GraphLayout;
  expect(graph.nodes.map(({ component }) => component)).toContain(key());

  expect(await client.done({ kind: "restart", component: key() })).toMatchObject({
    status: "done",
    message: "web was restarted",
  });
  const { items } = await test.cluster.list(
    { apiVersion: "v1", kind: "Pod" },
    { namespace: test.namespace },
  );
  const annotations = items.map(({ metadata }) => Object.keys(metadata.annotations ?? {})).flat();
  expect(annotations).toContain("kubectl.kubernetes.io/restartedAt");
  const order = { kind: "delete", component: key(), confirmation: "web" } as const;
  expect(await client.done(order)).toMatchObject({ status: "done", message: "1 deleted" });
  await client.view(({ components }) => components.every((each) => each.key !== key()));
  const secret = { apiVersion: "v1", kind: "Secret", name: "web" };
  expect(await test.cluster.find(secret)).toBeDefined();
});
