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
    'import { k8s } from "keelson";\nnew k8s.ConfigMap("a", {});\n',
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
