import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ran, runKeelson, type RunOptions } from "./run-keelson.ts";
import { startKeelson } from "./start-keelson.ts";

describe("commands on a project", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "keelson-project-"));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const keelson = (line: string, options: RunOptions = {}): Promise<Ran> =>
    runKeelson(line.split(" "), { env: { HOME: home }, workingDirectory: home, ...options });
  const write = (file: string, text: string): void => {
    writeFileSync(join(home, file), text);
  };
  const map = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  color: ${value}\n`;
  const group =
    "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: named\n  namespace: default\n---\n";

  it("need a name for the project, and say where it is written", async () => {
    write("a.yaml", map("blue"));
    const { code, stderr } = await keelson("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("error[cli.no-project]");
    expect(stderr).not.toContain("keelson live");
    write("resourcegroup.yaml", group);
    expect((await keelson("apply")).stderr).toContain("or use `keelson live`");
    expect((await keelson("apply nowhere")).stderr).toContain("nowhere does not exist");
    write("keelson.json", "{");
    expect((await keelson("plan")).stderr).toContain("error[program.project]");
  });

  it.each(["plan", "apply --yes", "destroy --yes", "refresh", "status"])(
    "%s ends when the cluster of a program does not answer",
    async (line) => {
      write("keelson.json", '{ "project": "shop" }');
      write("main.ts", 'import { k8s } from "keelson";\nnew k8s.ConfigMap("a", {});\n');
      write(
        "dead",
        "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n- name: c\n  context: {cluster: c, user: u}\nclusters:\n- name: c\n  cluster: {server: https://127.0.0.1:1}\nusers:\n- name: u\n  user: {token: t}\n",
      );
      const args = [...line.split(" "), "--kubeconfig", "dead"];
      const { exited, errors } = startKeelson(args, { HOME: home }, home);
      expect(await exited).toBe(1);
      expect(errors()).toContain("error[cluster.unreachable]");
    },
  );

  it("show and destroy what was applied to the inventory that the input names", async () => {
    write("keelson.json", '{"project": "shop"}');
    write("a.yaml", map("blue"));
    write("resourcegroup.yaml", group);
    expect((await keelson("apply")).stdout).toContain("1 created");
    expect((await keelson("status")).stdout).toContain("ConfigMap default/settings: Current");
    expect((await keelson("status -", { stdin: group + map("blue") })).stdout).toContain("Current");
    expect((await keelson("destroy")).stdout).toContain("1 deleted");
    expect((await keelson("live destroy")).stdout).toContain("nothing to do");
  });

  it("plan, apply, show and destroy, each environment for itself", async () => {
    write("package.json", '{"name": "@acme/Shop"}');
    write("a.yaml", map("blue"));
    expect((await keelson("plan")).stdout).toBe("+ ConfigMap default/settings\n1 to create\n");
    expect((await keelson("apply --yes")).stdout).toContain("1 created");
    expect((await keelson("status")).stdout).toContain("ConfigMap default/settings: Current");
    const staging = await keelson("plan --env staging:eu");
    expect(staging.stdout).toContain("belongs to the inventory acme-shop-dev-default");
    write("a.yaml", map("red"));
    expect((await keelson("plan")).stdout).toBe(
      '~ ConfigMap default/settings\n      .data.color: "blue" → "red"\n1 to update\n',
    );
    expect((await keelson("apply")).stdout).toContain("1 configured");
    expect((await keelson("destroy --dry-run")).stdout).toBe(
      "- ConfigMap default/settings delete\n1 to delete\n",
    );
    expect((await keelson("destroy")).stdout).toContain("1 deleted");
  });

  it("apply a saved plan by its name, and nothing else", async () => {
    write("keelson.json", '{"project": "shop", "env": "test", "namespace": "kube-public"}');
    write("a.yaml", map("blue"));
    await keelson("plan --out plan.json");
    expect(readFileSync(join(home, "plan.json"), "utf8")).not.toContain("blue");
    write("a.yaml", map("red"));
    expect((await keelson("apply plan.json")).stderr).toContain("the input has changed");
    write("a.yaml", map("blue"));
    const applied = await keelson("apply plan.json");
    expect(applied.stdout).toContain("✓ ConfigMap kube-public/settings created");
  });

  it("ask on a terminal", async () => {
    write("keelson.json", '{"project": "shop"}');
    write("a.yaml", map("blue"));
    const options = { terminal: true, env: { HOME: home, NO_COLOR: "1" } };
    const declined = await keelson("apply", { ...options, stdin: "n\n" });
    expect(declined.code).toBe(1);
    expect(declined.stdout).toContain("1 to create\nApply this to shop-dev? [y/N]");
    expect(declined.stderr).toContain("error[cli.declined]");
    expect((await keelson("status")).stdout).toContain("owns nothing");
    const agreed = await keelson("apply", { ...options, stdin: "y\n" });
    expect(agreed.code).toBe(0);
    const asked = await keelson("destroy", { ...options, stdin: "\n" });
    expect(asked.stdout).toContain(
      "- ConfigMap default/settings\nDelete everything of shop-dev? [y/N]",
    );
    expect(asked.code).toBe(1);
    await keelson("live init --name pack");
    expect((await keelson("live apply . --inventory-policy force-adopt")).code).toBe(0);
    const live = await keelson("live destroy .", { ...options, stdin: "n\n" });
    expect(live.stdout).toContain("Delete everything of pack? [y/N]");
    expect(live.stderr).toContain("error[cli.declined]");
    expect((await keelson("live status .")).stdout).toContain("settings");
    expect((await keelson("live destroy . --yes", options)).stdout).toContain("1 deleted");
    expect((await keelson("apply", { ...options, stdin: "y\n" })).code).toBe(0);
    const unanswered = await keelson("destroy", { ...options, stdin: "" });
    expect(unanswered.stderr).toContain("error[cli.declined]");
  });

  it("leave the inventory of a package in a subfolder alone", async () => {
    const named = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    write("keelson.json", '{"project": "three"}');
    write("a.yaml", named("three-a"));
    for (const folder of ["sub", "other"]) mkdirSync(join(home, folder));
    write("sub/a.yaml", named("sub-a"));
    write("other/a.yaml", named("other-a"));
    await keelson("live init sub --name sub");
    await keelson("live init other --name other");
    await keelson("live apply sub");
    expect((await keelson("apply a.yaml")).stdout).toContain("three-a created");
    expect((await keelson("status")).stdout).toBe(
      "✓ ConfigMap default/three-a: Current: ConfigMap is always ready\n",
    );
    const planned = await keelson("plan");
    expect(planned.stdout).toContain("sub-a skipped: it belongs to the inventory sub-default");
    const live = await keelson("live apply .");
    expect(live.code).toBe(1);
    expect(live.stderr).toContain("has no ResourceGroup of its own");
    expect((await keelson("destroy --yes")).stdout).toContain("three-a deleted");
    expect((await keelson("live status sub")).stdout).toContain("sub-a");
  });

  it("begin with a program that runs, and overwrite nothing", async () => {
    expect((await keelson("init shop")).stdout).toContain("next: cd shop && keelson plan");
    const byNpx = await keelson("init by-npx", { env: { HOME: home, npm_command: "exec" } });
    expect(byNpx.stdout).toContain("next: cd by-npx && npx keelson plan");
    const spaced = await runKeelson(["init", "my shop"], { workingDirectory: home });
    expect(spaced.stdout).toContain("next: cd 'my shop' && keelson plan");
    for (const [folder, project] of [
      ["Ünï Çode", "uni-code"],
      ["..dots..", "dots"],
      ["日本", "project"],
    ] as const) {
      await runKeelson(["init", folder], { workingDirectory: home });
      expect(JSON.parse(readFileSync(join(home, folder, "keelson.json"), "utf8"))).toMatchObject({
        project,
      });
    }
    expect((await keelson("init shop")).stderr).toContain("error[cli.file-exists]");
    expect((await keelson("plan shop")).stdout).toContain("4 to create");
    expect((await keelson("apply shop")).stdout).toContain("4 created");
    expect((await keelson("check shop")).stdout).toContain("5 resources are in order");
    const logs = await keelson("logs endpoints --source shop");
    expect(logs.stderr).toContain("error[program.no-log]");
    const stats = await keelson("stats endpoints --source shop");
    expect(stats.stderr).toContain("error[program.no-stats]");
    const unknown = await keelson("logs nothing --source shop");
    expect(unknown.stderr).toContain("error[program.unknown-resource]");
    const found = await keelson("logs dev:shop:main/Web:keelson:k8s/Deployment#web --source shop");
    expect(found.code).toBe(0);
  });

  it("write types for definitions, where there are any", async () => {
    write("a.yaml", map("blue"));
    expect((await keelson("types a.yaml")).stderr).toContain("error[cli.no-definitions]");
    write(
      "crd.yaml",
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.e.com}\nspec:\n  group: e.com\n  scope: Namespaced\n  names: {kind: Widget, plural: widgets}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}\n",
    );
    const { code, stdout } = await keelson("types crd.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("Widget");
    expect(stdout).toContain("size");
  });
});
