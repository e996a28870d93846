/** What each operation asks of the API server, request by request. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver, referenceTo, untilServed } from "../../src/cluster/index.ts";
import { apply, load, plan } from "../../src/engine/library.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { FaultyTransport } from "../faults/faulty-transport.ts";

let sandbox: Sandbox;
let cluster: Cluster;
let calls: readonly string[];
let folder: string;

beforeEach(async () => {
  sandbox = openSandbox();
  const transport = new FaultyTransport(new InProcessTransport(sandbox), () => undefined);
  calls = transport.calls;
  cluster = clusterOver(transport);
  folder = await mkdtemp(join(tmpdir(), "keelson-requests-"));
  await writeFile(join(folder, "keelson.json"), '{"project": "requests"}');
});
afterEach(async () => {
  sandbox.close();
  await rm(folder, { recursive: true });
});

async function during(body: () => Promise<unknown>): Promise<readonly string[]> {
  const before = calls.length;
  await body();
  return calls.slice(before);
}

const program = (color: string): string => `import { k8s } from "keelson";
const config = new k8s.ConfigMap("config", { data: { color: "${color}" } });
new k8s.Service("web", { spec: { ports: [{ port: 80 }], selector: { app: "web" } } });
new k8s.Deployment("web", {
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
`;

describe("a plan", () => {
  it("of a program asks nothing twice, and claims no change that is none", async () => {
    const file = join(folder, "main.ts");
    await writeFile(file, program("red"));
    const first = await load(folder, { cluster });
    await apply(first).result;
    await first.close();
    await writeFile(file, program("blue"));
    const asked = await during(async () => {
      const desired = await load(folder, { cluster });
      const planned = await plan(desired);
      const changes = await planned.changes();
      await desired.close();
      expect(changes.map(({ node }) => `${node.action} ${node.identity.kind}`)).toEqual([
        "update ConfigMap",
        "unchanged Service",
        "unchanged Deployment",
      ]);
    });
    expect(asked.filter((call, index) => asked.indexOf(call) !== index)).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(7);
    const second = await load(folder, { cluster });
    const { counts } = await apply(second).result;
    await second.close();
    expect(counts.apply).toMatchObject({ configured: 1, unchanged: 2 });
  });

  it("of objects asks nothing twice", async () => {
    const file = join(folder, "a.yaml");
    const map = (name: string, color: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {color: ${color}}\n---\n`;
    await writeFile(file, map("one", "red") + map("two", "red"));
    const options = { cluster, inventory: { name: "objects" } };
    await apply(await load(file, options)).result;
    await writeFile(file, map("one", "blue") + map("two", "red"));
    const asked = await during(async () => {
      const planned = await plan(await load(file, options));
      expect(await planned.changes()).toHaveLength(2);
    });
    expect(asked.filter((call, index) => asked.indexOf(call) !== index)).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(5);
  });
});

describe("what is remembered of kinds", () => {
  const definition = (kind: string, group: string): KubernetesObject => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      ],
    },
  });

  async function defineForAMoment(kind: string, group: string): Promise<void> {
    const object = definition(kind, group);
    await cluster.create(object);
    await untilServed(cluster, { apiVersion: `${group}/v1`, kind });
    await cluster.delete(referenceTo(object));
    await expect
      .poll(async () => (await cluster.find(referenceTo(object))) === undefined)
      .toBe(true);
    expect((await cluster.resources()).find({ apiVersion: `${group}/v1`, kind })).toBeDefined();
  }

  it("may be older than the end of a definition: its objects are refused at once", async () => {
    await defineForAMoment("Thing", "gone.example.com");
    const file = join(folder, "thing.yaml");
    await writeFile(
      file,
      "apiVersion: gone.example.com/v1\nkind: Thing\nmetadata: {name: one}\n---\napiVersion: gone.example.com/v1\nkind: Thing\nmetadata: {name: two}\n",
    );
    const desired = await load(file, { cluster, inventory: { name: "things" } });
    await expect(plan(desired)).rejects.toMatchObject({
      diagnostics: [{ code: "cluster.unknown-kind" }, { code: "cluster.unknown-kind" }],
    });
  });

  it("may be older than the end of the controller: its bundles are carried out at once", async () => {
    await defineForAMoment("Bundle", "smith.atlassian.com");
    const file = join(folder, "bundle.yaml");
    await writeFile(
      file,
      `apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: {name: shop}
spec:
  resources:
    - name: settings
      spec:
        object:
          apiVersion: v1
          kind: ConfigMap
          metadata: {name: from-bundle}
          data: {color: red}
`,
    );
    const desired = await load(file, { cluster, inventory: { name: "bundles" } });
    expect(desired.kind).toBe("program");
    const { counts } = await apply(desired).result;
    expect(counts.apply.created).toBe(1);
    await desired.close();
  });
});

/** Names that follow from names: each ConfigMap but the first holds the name of the one before it. */
const length = 30;

async function writeChain(naming: string, first: string): Promise<void> {
  const text = `import { k8s } from "keelson";
let before: string = "${first}";
for (let index = 0; index < ${length}; index++) {
  const map = new k8s.ConfigMap(\`m\${index}\`, { data: { before } }, { naming: "${naming}" });
  before = map.metadata.name;
}
`;
  await writeFile(join(folder, "main.ts"), text);
}

async function planned(): Promise<Readonly<Record<string, number>>> {
  const desired = await load(folder, { cluster });
  const changes = await (await plan(desired)).changes();
  await desired.close();
  const counts: Record<string, number> = {};
  for (const { node } of changes) counts[node.action] = (counts[node.action] ?? 0) + 1;
  return counts;
}

async function applied(): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const desired = await load(folder, { cluster });
  const { counts } = await apply(desired).result;
  await desired.close();
  return { apply: counts.apply, prune: counts.prune };
}

describe.each(["random", "contentsHash"])("a chain of names with naming: %s", (naming) => {
  it("is planned and applied in one stage, however long it is", async () => {
    await writeChain(naming, "one");
    expect(await planned()).toEqual({ create: length });
    expect((await applied())["apply"]).toMatchObject({ created: length, skipped: 0, failed: 0 });
    expect(await planned()).toEqual({ unchanged: length });

    await writeChain(naming, "two");
    const asked = await during(async () => {
      expect(await planned()).toEqual({ create: length, delete: length });
    });
    expect(asked.filter((call, index) => asked.indexOf(call) !== index)).toEqual([]);
    expect(await applied()).toMatchObject({
      apply: { created: length, configured: 0, skipped: 0, failed: 0 },
      prune: { successful: length, failed: 0, skipped: 0 },
    });
    expect(await planned()).toEqual({ unchanged: length });
  });
});
