import { execFileSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";
import { group, LiveWorld } from "./live-world.ts";

const world = new LiveWorld();
afterAll(() => {
  world.remove();
});

const deployment = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: ${image} }]
`;

it("applies what kustomize builds, with the group among its resources", async () => {
  world.write("base/deployment.yaml", deployment("nginx:1"));
  world.write("base/resourcegroup.yaml", group("kustomized").replace("---\n", ""));
  world.write(
    "base/kustomization.yaml",
    "resources: [deployment.yaml, resourcegroup.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [color=blue]\n",
  );
  const kubectl = await kubectlPath();
  const build = (): string =>
    execFileSync(kubectl, ["kustomize", `${world.home}/base`], { encoding: "utf8" });
  const first = await world.live("apply -", build());
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout).toContain("2 created\n");
  // The generated name changes with the content: the new map is made, the old one pruned.
  world.write(
    "base/kustomization.yaml",
    "resources: [deployment.yaml, resourcegroup.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [color=red]\n",
  );
  expect((await world.live("apply -", build())).stdout).toContain(
    "1 created, 1 unchanged, 1 pruned\n",
  );
});

it("applies what helm renders, with the group in a file of its own", async () => {
  world.write("chart/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 0.1.0\n");
  world.write(
    "chart/templates/web.yaml",
    deployment("{{ .Values.image }}").replace(
      "name: web\nspec",
      "name: {{ .Release.Name }}-web\nspec",
    ),
  );
  world.write("chart/values.yaml", "image: nginx:1\n");
  world.write("rg.yaml", group("rendered"));
  const helm = await helmPath();
  const render = (image: string): string =>
    execFileSync(helm, ["template", "prod", `${world.home}/chart`, "--set", `image=${image}`], {
      encoding: "utf8",
      env: { ...process.env, HOME: world.home },
    });
  expect((await world.live("apply --rg-file rg.yaml -", render("nginx:1"))).stdout).toContain(
    "1 created\n",
  );
  expect((await world.live("plan --rg-file rg.yaml -", render("nginx:2"))).stdout).toContain(
    '.spec.template.spec.containers[name=web].image: "nginx:1" → "nginx:2"',
  );
  expect((await world.live("apply --rg-file rg.yaml -", render("nginx:2"))).stdout).toContain(
    "1 configured\n",
  );
  expect((await world.live("destroy --rg-file rg.yaml")).stdout).toContain("1 deleted\n");
});
