import { chmodSync, existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ComponentView, DashboardView } from "../../src/dashboard/dashboard-view.ts";
import type { StatsSample } from "../../src/dashboard/stats-view.ts";
import { defaultDataFolder } from "../../src/sandbox/index.ts";
import { DashboardClient } from "../cli/dashboard-client.ts";
import { kubectlPath } from "../cluster/kubectl.ts";
import { configMap, deployment, DevProject, type DevRun, isAlive } from "./dev-project.ts";

describe("the dashboard of keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  async function client(up: DevRun): Promise<DashboardClient> {
    const told = await up.until((event) => JSON.stringify(event).includes('"link"'), "the link");
    const { link } = told as unknown as { readonly link: string };
    const found = new DashboardClient(link);
    await found.enter();
    return found;
  }

  const key = (name: string): string => `default/demo-dev-default/${name}`;

  it("is served on the usual port or on another, unless it is not wanted", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one") });
    const usual = createServer();
    // Somebody else may have the usual port already; one that is surely taken is our own.
    await new Promise<void>((resolve) => {
      usual.once("error", () => {
        resolve();
      });
      usual.listen(8437, "127.0.0.1", resolve);
    });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      const up = project.start("up");
      const page = await client(up);
      await page.view(({ components }) => components[0]?.status === "Current");
      await up.stop();
      const strict = project.start("up", "--dashboard-port", String(port));
      expect(await strict.exit()).toBe(1);
      expect(JSON.stringify(strict.events)).toContain("dashboard.port-taken");
      const without = project.start("up", "--no-dashboard");
      await without.component("uncategorized", "runtime ok");
      expect(JSON.stringify(without.events)).not.toContain('"link"');
    } finally {
      usual.close();
      taken.close();
    }
  });

  it("is only for reading when asked to be", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one") });
    const up = project.start("up", "--dashboard-port", "0", "--read-only");
    const page = await client(up);
    const { components } = await page.view((view) => view.components[0]?.status === "Current");
    expect(components[0]?.offers).toEqual([]);
    const order = { kind: "trigger", component: key("uncategorized") } as const;
    expect((await page.act(order)).status).toBe(403);
  });

  it("disables what others wait for, and what commands have deployed", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml(['db.json', 'web.json'])
k8s_resource('web', resource_deps=['db'])
k8s_custom_deploy('outside', apply_cmd='touch deployed; cat deployed.yaml', delete_cmd='rm deployed', deps=[])
`,
      "db.json": deployment("db"),
      "web.json": deployment("web"),
      "deployed.yaml": configMap("deployed", "one"),
    });
    const up = project.start("up", "--dashboard-port", "0");
    const page = await client(up);
    await up.is("web", "runtime ok");
    await up.is("outside", "update ok");
    expect(await page.done({ kind: "disable", component: key("db") })).toMatchObject({
      status: "done",
      message: "db is disabled",
    });
    expect(up.writes()).not.toContain("pruned Deployment web");
    expect((await project.run("status")).stdout).not.toContain("Deployment.apps default/db");
    // What waits for it is updated when it is there again.
    await page.done({ kind: "trigger", component: key("web") });
    await up.component("web", "update pending: WaitingForDependency");
    await page.done({ kind: "enable", component: key("db") });
    await up.component("web", "update ok");

    expect(existsSync(project.path("deployed"))).toBe(true);
    await page.done({ kind: "disable", component: key("outside") });
    expect(existsSync(project.path("deployed"))).toBe(false);
  });

  it("ends the commands of what it disables, with all that they started", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('migrate', cmd='sh forever.sh migrate; true')
local_resource('server', serve_cmd='sh forever.sh server; true', allow_parallel=True)
k8s_custom_deploy('outside', apply_cmd='sh forever.sh outside >&2; true', delete_cmd='true', deps=[])`,
      "forever.sh": "echo $$ > $1.pid; echo begun; exec sleep 1000\n",
    });
    const up = project.start("up", "--dashboard-port", "0");
    const page = await client(up);
    for (const name of ["migrate", "server", "outside"]) {
      await up.logged(name, "begun");
      const pid = Number(readFileSync(project.path(`${name}.pid`), "utf8"));
      expect(isAlive(pid)).toBe(true);
      await page.done({ kind: "disable", component: key(name) });
      await expect.poll(() => isAlive(pid)).toBe(false);
      await up.is(name, "update none: Disabled");
    }
    const failures = up.events.filter(
      (event) => event.type === "component" && event.update.status === "error",
    );
    expect(failures).toEqual([]);
    // Where it is enabled again, it begins anew.
    await page.done({ kind: "enable", component: key("migrate") });
    await up.component("migrate", "update in_progress");
  });

  it("shows what commands have deployed like other objects, and takes it into the readiness", async () => {
    const kubectl = await kubectlPath();
    project = new DevProject({
      Tiltfile: `k8s_yaml('a.yaml')
k8s_custom_deploy('outside', apply_cmd='./kubectl.sh apply -o yaml -f outside.json', delete_cmd='./kubectl.sh delete -f outside.json', deps=['outside.json'])`,
      "a.yaml": configMap("a", "one"),
      "outside.json": deployment("outside", { image: "first", run: "exec sleep 600" }),
    });
    const config = join(defaultDataFolder({ HOME: project.home }), "kubeconfig");
    project.write("kubectl.sh", `#!/bin/sh\nKUBECONFIG='${config}' exec '${kubectl}' "$@"\n`);
    chmodSync(project.path("kubectl.sh"), 0o755);
    const up = project.start("up", "--allow-processes", "--dashboard-port", "0");
    const page = await client(up);
    const ready = await up.component("outside", "runtime ok");
    expect(ready.runtime.message).toBe("Deployment is available, 1 replica");
    const of = ({ components }: DashboardView): ComponentView | undefined =>
      components.find(({ name }) => name === "outside");
    // The loop and the cluster tell of it one after the other.
    const view = await page.view(
      (each) => of(each)?.status === "Current" && of(each)?.objects[0]?.status === "Current",
    );
    expect(of(view)).toMatchObject({
      workload: "Deployment",
      namespace: "default",
      status: "Current",
      objects: [{ kind: "Deployment", name: "outside", isDeployed: true }],
    });
    expect(of(view)?.offers).toContain("restart");
    const detail = async (): Promise<unknown> =>
      JSON.parse((await page.ask(`/api/component?key=${encodeURIComponent(key("outside"))}`)).body);
    // Pods are watched apart from what they are of.
    await expect.poll(detail).toMatchObject({ pods: [{ status: "Current" }] });
    // What no longer runs is not ready, as everywhere.
    project.write("outside.json", deployment("outside", { image: "second", run: "exit 3" }));
    await up.component("outside", "runtime error");
    await page.view((each) => of(each)?.objects[0]?.status === "Failed");
    await page.done({ kind: "disable", component: key("outside") });
    await page.view((each) => of(each)?.objects.length === 0);
  });

  it("says why a component could not be disabled", async () => {
    project = new DevProject({
      Tiltfile: `k8s_custom_deploy('outside', apply_cmd='cat deployed.yaml', delete_cmd='echo no; exit 3', deps=[])`,
      "deployed.yaml": configMap("deployed", "one"),
    });
    const up = project.start("up", "--dashboard-port", "0");
    const page = await client(up);
    await up.is("outside", "update ok");
    const ended = await page.done({ kind: "disable", component: key("outside") });
    expect(ended).toMatchObject({ status: "failed", diagnostics: [{ code: "devloop.update" }] });
    expect(ended.diagnostics[0]?.detail).toContain("it ended with code 3: no");
  });

  it("has the figures that providers count for resources of a program", async () => {
    project = new DevProject({
      "main.ts": `import { local } from "keelson";\nnew local.Process("ticker", { command: ["sleep", "600"] });\n`,
    });
    const up = project.start("up", "--dashboard-port", "0");
    try {
      const page = await client(up);
      const { components } = await page.view((view) => view.components[0]?.status === "Current");
      const stats = `/api/stats?key=${encodeURIComponent(components[0]?.key ?? "")}`;
      const { body } = await page.ask(stats, { until: (text) => /^data: .*\n\n/m.test(text) });
      const { points, notices } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? "") as StatsSample;
      expect(notices).toEqual([]);
      expect(points.map(({ plot, line }) => `${plot} of ${line}`)).toContain(
        "memory of local/Process#ticker",
      );
    } finally {
      await up.stop();
      await project.run("down");
    }
  });

  it("does not offer to disable a part of a program", async () => {
    project = new DevProject({
      "main.ts": `import { k8s } from "keelson";\nnew k8s.ConfigMap("a", { data: {} });\n`,
    });
    const up = project.start("up", "--dashboard-port", "0");
    const page = await client(up);
    const { components } = await page.view((view) => view.components[0]?.status === "Current");
    expect(components[0]?.offers).toEqual(["trigger"]);
    const order = { kind: "disable", component: components[0]?.key ?? "" } as const;
    expect((await page.act(order)).body).toContain("dashboard.not-offered");
  });
});
