import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DevDashboardSource } from "../../src/cli/dashboard/dev-dashboard.ts";
import { hostOf } from "../../src/cli/host-of.ts";
import { readProject } from "../../src/engine/index.ts";
import { type Cluster, clusterOver } from "../../src/cluster/index.ts";
import { LiveView } from "../../src/dashboard/live-view.ts";
import { DevLoop, devSource } from "../../src/devloop/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { quietContext } from "../cli/quiet-context.ts";
import { CountingTransport } from "../faults/counting-transport.ts";
import { patienceMs } from "../patience.ts";
import { configMap, deployment } from "./dev-project.ts";

const service = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`;
const secret = `apiVersion: v1
kind: Secret
metadata: { name: key }
stringData: { password: hunter2 }
`;

describe("what keelson up with its page asks the cluster for", () => {
  let folder: string;
  let sandbox: Sandbox;
  let sent: CountingTransport;
  let cluster: Cluster;
  let loop: DevLoop;
  let source: DevDashboardSource;
  let page: LiveView;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "keelson-watches-")));
    const files = {
      "keelson.json": '{"project": "demo"}',
      "web.json": deployment("web", { image: "web:1" }),
      "service.yaml": service,
      "settings.yaml": configMap("settings", "one"),
      "key.yaml": secret,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    sandbox = openSandbox();
    sent = new CountingTransport(new InProcessTransport(sandbox));
    cluster = clusterOver(sent, { namespace: "default" });
    const context = quietContext(folder);
    const project = await readProject(hostOf(context), ".", undefined);
    loop = new DevLoop({
      cluster,
      source: devSource(hostOf(context), {
        input: ".",
        project,
        cluster,
        namespace: "default",
        context: undefined,
        args: [],
        subcommand: "up",
      }),
      only: [],
      watches: true,
      environment: {},
      holder: "test",
    });
    source = new DevDashboardSource(loop, "demo");
    page = new LiveView({ cluster, description: "a sandbox", source });
  });
  afterEach(async () => {
    page.close();
    source.close();
    await loop.close();
    await cluster.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until the loop and the page agree that all is well. */
  async function untilReady(image: string): Promise<void> {
    await expect
      .poll(
        () => ({
          loop: loop.state
            .snapshot()
            .components.every(
              ({ update, runtime }) => update.status === "ok" && runtime.status === "ok",
            ),
          image: page.world.components.find(({ name }) => name === "web")?.workload,
          page: page.view.isComplete && page.view.components.map(({ status }) => status),
        }),
        { timeout: patienceMs },
      )
      .toMatchObject({
        loop: true,
        image: { spec: { template: { spec: { containers: [{ image }] } } } },
        page: ["Current", "Current"],
      });
  }

  it("each kind of a namespace is watched once, and a change of one image begins no watch", async () => {
    await loop.start();
    await untilReady("web:1");
    expect(sent.watches().toSorted()).toEqual([
      "configmaps in default",
      "customresourcedefinitions",
      "deployments in default",
      "events in default",
      "jobs in default",
      "pods in default",
      "replicasets in default",
      "resourcegroups",
      "secrets in default",
      "services in default",
    ]);
    const before = sent.calls.length;
    writeFileSync(join(folder, "web.json"), deployment("web", { image: "web:2" }));
    await untilReady("web:2");
    const after = sent.calls.slice(before);
    expect(after).toContainEqual(expect.stringMatching(/^PATCH .*\/deployments\/web\?/));
    expect(sent.watches(before)).toEqual([]);
    // Which objects are owned is read for the plan, and again under the Lease.
    const parts = "resourcegroups in default keelson.dev/continues=demo-dev";
    expect(sent.lists(before)).toEqual([parts, parts]);
  });
});
