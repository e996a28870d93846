/** What is drawn, what runs and what the page shows have the same edges, whatever the source. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../../src/cluster/index.ts";
import { GraphLayouts } from "../../src/dashboard/graph-layout.ts";
import type { DashboardWorld } from "../../src/dashboard/world.ts";
import { apply, graph, load, type Loaded, plan } from "../../src/engine/library.ts";
import { identityKey, identityOf } from "../../src/objects/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";

let sandbox: Sandbox;
let cluster: Cluster;
let folder: string;

beforeAll(async () => {
  sandbox = openSandbox();
  cluster = clusterOver(new InProcessTransport(sandbox));
  folder = await mkdtemp(join(tmpdir(), "keelson-same-graph-"));
  await writeFile(join(folder, "keelson.json"), '{"project": "same"}');
});
afterAll(async () => {
  await cluster.close();
  sandbox.close();
  await rm(folder, { recursive: true });
});

const yaml = `apiVersion: v1
kind: Namespace
metadata: {name: same}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: same}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: late
  namespace: same
  annotations: {config.kubernetes.io/depends-on: apps/namespaces/same/Deployment/web}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: same}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {serviceAccountName: runner, containers: [{name: c, image: nginx}]}
`;

const program = `import { k8s } from "keelson";
const config = new k8s.ConfigMap("config", { data: { color: "red" } });
const web = new k8s.Deployment("web", {
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "c", image: "nginx", envFrom: [{ configMapRef: { name: config.metadata.name } }] },
        ],
      },
    },
  },
});
new k8s.ConfigMap("after", { data: {} }, { dependsOn: [web] });
`;

const tiltfile = `k8s_yaml('objects.yaml')
k8s_resource('api', resource_deps=['web'])
`;

type Edges = readonly { readonly from: string; readonly to: string }[];

function pairs(edges: Edges): readonly string[] {
  return edges.map(({ from, to }) => `${from} → ${to}`).toSorted();
}

/** What the page draws of objects that are in the cluster, put together as a dev loop says. */
async function pageEdges(desired: Loaded): Promise<readonly string[]> {
  const objects = await Promise.all(
    desired.objects.map(async ({ object }) => {
      const { apiVersion, kind, metadata } = object;
      const { namespace, name = "" } = metadata;
      const live = await cluster.find({ apiVersion, kind, name, namespace });
      return { key: identityKey(identityOf(live ?? object)), object: live ?? object };
    }),
  );
  const layouts = new GraphLayouts();
  try {
    const named = desired.components.map(({ name, members, dependsOn }) => ({
      name,
      objects: objects.filter(({ key }) => members.includes(key)),
      waitsFor: dependsOn,
    }));
    const components = (named.length === 0 ? [{ name: "all", objects }] : named).map((each) => ({
      ...each,
      key: each.name,
      inventory: { key: "all" },
    }));
    const world = { components, chains: { owners: [], bundles: [] } } as unknown as DashboardWorld;
    return pairs((await layouts.of(world)).edges);
  } finally {
    await layouts.close();
  }
}

it.each([
  ["objects", "objects.yaml", yaml],
  ["a program", "main.ts", program],
])("of %s", async (_what, file, text) => {
  await writeFile(join(folder, file), text);
  const desired = await load(join(folder, file), { cluster, inventory: { name: file } });
  const drawn = pairs(graph(desired).drawn.edges);
  const { plan: planned } = await plan(desired);
  expect(drawn.length).toBeGreaterThan(1);
  expect(pairs(planned.graph.edges)).toEqual(drawn);
  await apply(desired).result;
  expect(await pageEdges(desired)).toEqual(drawn);
  await desired.close();
});

it("of a Tiltfile, with components that wait for components", async () => {
  const api = yaml.replaceAll("web", "api").split("---\n").at(-1) ?? "";
  await writeFile(join(folder, "objects.yaml"), `${yaml}---\n${api}`);
  await writeFile(join(folder, "Tiltfile"), tiltfile);
  const desired = await load(join(folder, "Tiltfile"), { cluster, inventory: { name: "tilt" } });
  const drawn = pairs(graph(desired).drawn.edges);
  const { plan: planned } = await plan(desired);
  expect(pairs(planned.graph.edges)).toEqual(drawn);
  expect(drawn.filter((edge) => edge.endsWith("→ component web"))).toHaveLength(1);
  // The page has no node for a component as a whole.
  const [from, to] = ["api", "web"].map((name) => `apps/Deployment/same/${name}`);
  const between = drawn.filter((edge) => !edge.includes("component "));
  expect(await pageEdges(desired)).toEqual([...between, `${from} → ${to}`].toSorted());
  await desired.close();
});
