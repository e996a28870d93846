import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runKeelson } from "./run-keelson.ts";

const input = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers: [{name: c, image: nginx, envFrom: [{configMapRef: {name: config}}]}]
`;

it("draws what waits for what, as text", async () => {
  expect((await runKeelson(["graph", "-"], { stdin: input })).stdout).toBe(
    [
      "Namespace shop",
      "ConfigMap config",
      "  needs Namespace shop: it is in the namespace shop",
      "Pod web",
      "  needs Namespace shop: it is in the namespace shop",
      "  after ConfigMap config: its environment comes from this ConfigMap",
      "",
    ].join("\n"),
  );
});

it("leaves out what is not for the cluster", async () => {
  const local = `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: local\n  annotations: {config.kubernetes.io/local-config: "true"}\n---\napiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: group}\n`;
  const { stdout } = await runKeelson(["graph", "-"], { stdin: input + local });
  expect(stdout).toContain("Pod web\n");
  expect(stdout).not.toMatch(/local|group/);
});

it("draws a picture", async () => {
  const { code, stdout } = await runKeelson(["graph", "-", "--format", "svg"], { stdin: input });
  expect(code).toBe(0);
  expect(stdout).toMatch(/<svg [\s\S]*Pod web[\s\S]*<\/svg>/);
});

it("writes Mermaid and Graphviz", async () => {
  expect(
    (await runKeelson(["graph", "-", "--format", "mermaid"], { stdin: input })).stdout,
  ).toMatch(/^flowchart RL\n/);
  expect((await runKeelson(["graph", "-", "--format", "dot"], { stdin: input })).stdout).toMatch(
    /^digraph keelson \{/,
  );
});

it("tells resources of a program apart that are called the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keelson-graph-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "keelson.json"), '{"project": "shop"}');
  await writeFile(
    join(folder, "main.ts"),
    `import { k8s, Resource } from "keelson";
import "./other.ts";
class Outer extends Resource {
  static composite = true;
  constructor(id: string) { super(id, {}); new k8s.ConfigMap("inner", {}); }
}
new Outer("x");
new Outer("y");
new k8s.ConfigMap("a", {});
new k8s.ConfigMap({});
new k8s.ConfigMap({});
`,
  );
  await writeFile(
    join(folder, "other.ts"),
    'import { k8s } from "keelson";\nnew k8s.ConfigMap("a", { metadata: { name: "other-a" } });\n',
  );
  const { stdout } = await runKeelson(["graph", folder], { env: { HOME: folder } });
  const lines = stdout.split("\n").filter((line) => line.startsWith("ConfigMap"));
  expect(lines.toSorted()).toEqual([
    "ConfigMap dev:shop:main:keelson:k8s/ConfigMap",
    "ConfigMap dev:shop:main:keelson:k8s/ConfigMap#2",
    "ConfigMap dev:shop:main:keelson:k8s/ConfigMap#a",
    "ConfigMap dev:shop:other:keelson:k8s/ConfigMap#a",
    "ConfigMap inner in dev:shop:main:shop:main/Outer#x",
    "ConfigMap inner in dev:shop:main:shop:main/Outer#y",
  ]);
});

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {serviceAccountName: runner, containers: [{name: c, image: nginx}]}
`;

it("shows the same edges for the same objects, as YAML and as a program", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keelson-graph-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "keelson.json"), '{"project": "shop"}');
  await writeFile(
    join(folder, "main.ts"),
    `import { k8s } from "keelson";
new k8s.Namespace("shop", { metadata: { name: "shop" } });
new k8s.ServiceAccount("runner", { metadata: { name: "runner", namespace: "shop" } });
new k8s.Deployment("web", {
  metadata: { name: "web", namespace: "shop" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { serviceAccountName: "runner", containers: [{ name: "c", image: "nginx" }] },
    },
  },
});
`,
  );
  const edges = (text: string): readonly string[] =>
    text
      .split("\n")
      .map((line) => line.replace(/^(?:\S.*|(\s+\w+ \w+) \S+: (.*))$/, "$1 $2").trim())
      .filter((line) => line !== "")
      .toSorted();
  const yaml = await runKeelson(["graph", "-"], { stdin: shop });
  const program = await runKeelson(["graph", folder], { env: { HOME: folder } });
  expect(edges(program.stdout)).toEqual(edges(yaml.stdout));
  expect(edges(yaml.stdout)).toEqual([
    "after ServiceAccount its pods run as this ServiceAccount",
    "needs Namespace it is in the namespace shop",
    "needs Namespace it is in the namespace shop",
  ]);
});

it("refuses an input that names an object twice, as a plan does", async () => {
  const { code, stderr } = await runKeelson(["graph", "-"], { stdin: `${input}---\n${input}` });
  expect(code).not.toBe(0);
  expect(stderr).toContain("error[objects.duplicate-object]");
});
