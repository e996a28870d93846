import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";
import { LiveWorld } from "./live-world.ts";

describe("objects from elsewhere in a program", () => {
  let world: LiveWorld;
  beforeEach(async () => {
    world = new LiveWorld();
    world.write("bin/.keep", "");
    symlinkSync(await helmPath(), join(world.home, "bin/helm"));
    symlinkSync(await kubectlPath(), join(world.home, "bin/kubectl"));
    world.write("app/keelson.json", '{"project": "inputs"}');
    world.write(
      "app/vigoda.yaml",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: vigoda}\nspec:\n  selector: {matchLabels: {app: vigoda}}\n  template:\n    metadata: {labels: {app: vigoda}}\n    spec: {containers: [{name: c, image: nginx}]}\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: vigoda}\nspec:\n  schedule: '* * * * *'\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}}\n",
    );
  });
  afterEach(() => {
    world.remove();
  });
  const keelson = async (command: string, program: string): Promise<string> => {
    world.write("app/main.ts", program);
    const before = process.env["PATH"];
    process.env["PATH"] = `${join(world.home, "bin")}:${before ?? ""}`;
    try {
      const args = [command, "app", ...(command === "apply" ? ["--output", "json"] : [])];
      const { stdout, stderr } = await runKeelson(args, {
        env: { HOME: world.home },
        workingDirectory: world.home,
      });
      return stdout + stderr.replaceAll(/^using .*\n/gm, "");
    } finally {
      process.env["PATH"] = before;
    }
  };
  const components = (output: string): readonly string[] =>
    output
      .trimEnd()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ type, status }) => type === "apply" && status === "successful")
      .map(({ component, object }) => `${String(component)} ${(object as { kind: string }).kind}`);

  it("are resources, whose workloads can be named and ordered", async () => {
    const program = `import { workload, yaml } from "keelson";\nyaml("vigoda.yaml");\nworkload("vigoda:deployment", { name: "vigoda", portForwards: [10000] });\nworkload("vigoda:cronjob", { name: "cron", dependsOn: ["vigoda"] });\n`;
    expect(components(await keelson("apply", program))).toEqual([
      "vigoda Deployment",
      "cron CronJob",
    ]);
    expect(await keelson("plan", program)).toBe("2 unchanged\n");
  });

  it("are assembled as the program speaks of them", async () => {
    const program = `import { k8s, workload, yaml } from "keelson";\nyaml("vigoda.yaml");\nnew k8s.ConfigMap("shared", { data: {} });\nworkload("vigoda:deployment", { name: "vigoda", portForwards: [10000], labels: ["web"] });\nworkload("vigoda:cronjob", { name: "cron", dependsOn: ["vigoda"] });\n`;
    expect(await keelson("assemble", program)).toMatchInlineSnapshot(`
      "uncategorized  what goes with no single workload; applied first
        ConfigMap  shared

      vigoda
        Deployment  vigoda
        image       nginx
        ports       10000 → 10000
        labels      web

      cron
        CronJob    vigoda
        image      nginx
        waits for  vigoda

      3 components, 2 workloads, 3 objects
      "
    `);
    expect(await keelson("assemble", 'import { yaml } from "keelson";\nyaml("vigoda.yaml");\n'))
      .toMatchInlineSnapshot(`
      "vigoda:deployment
        Deployment  vigoda
        image       nginx

      vigoda:cronjob
        CronJob  vigoda
        image    nginx

      2 components, 2 workloads, 2 objects
      "
    `);
  });

  it("are named by a function, which must give each its own name", async () => {
    const program = (body: string): string =>
      `import { nameWorkloads, yaml } from "keelson";\nyaml("vigoda.yaml");\nnameWorkloads((id) => ${body});\n`;
    expect(components(await keelson("apply", program("`${id.name}-${id.kind}`")))).toEqual([
      "vigoda-Deployment Deployment",
      "vigoda-CronJob CronJob",
    ]);
    expect(await keelson("plan", program("id.name"))).toContain("error[assembly.name-taken]");
  });

  it("say which workload is not unique, and what would be", async () => {
    const found = await keelson(
      "plan",
      `import { workload, yaml } from "keelson";\nyaml("vigoda.yaml");\nworkload("vigoda", { portForwards: [10000] });\n`,
    );
    expect(found).toContain("error[assembly.ambiguous-workload]");
    expect(found).toContain("main.ts:3:1");
    expect(found).toContain('"vigoda:deployment"');
  });

  it("come from real charts and kustomizations, and from text", async () => {
    world.write("app/chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 0.1.0\n");
    world.write(
      "app/chart/templates/map.yaml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-map\ndata:\n  color: {{ .Values.color }}\n",
    );
    world.write("app/overlay/kustomization.yaml", "namePrefix: dev-\nresources: [map.yaml]\n");
    world.write("app/overlay/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n");
    const program = `import { helm, kustomize, yaml } from "keelson";\nhelm("chart", { name: "shop", set: ["color=blue"] });\nkustomize("overlay");\nyaml("apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: text}\\n");\n`;
    expect(await keelson("plan", program)).toBe(
      "+ ConfigMap default/shop-map\n+ ConfigMap default/dev-map\n+ ConfigMap default/text\n3 to create\n",
    );
    const missing = await keelson(
      "plan",
      'import { yaml } from "keelson";\nyaml("nowhere.yaml");\n',
    );
    expect(missing).toContain("error[objects.file-missing]");
  });
});
