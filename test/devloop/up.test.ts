import { existsSync, readFileSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { configMap, deployment, DevProject, isAlive } from "./dev-project.ts";

describe("keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("applies a directory, then only what changed, and prunes what left", async () => {
    project = new DevProject({
      "a.yaml": configMap("a", "one"),
      "b.yaml": configMap("b", "one"),
      "web.yaml": deployment("web"),
    });
    const up = project.start("up");
    await up.component("web", "runtime ok");
    expect(up.writes().toSorted()).toEqual([
      "created ConfigMap a",
      "created ConfigMap b",
      "created Deployment web",
    ]);

    project.write("a.yaml", configMap("a", "two"));
    await up.component("uncategorized", "update in_progress");
    await up.component("uncategorized", "update ok");
    expect(up.writes().slice(3)).toEqual(["configured ConfigMap a"]);

    project.write("more/c.yaml", configMap("c", "new"));
    await up.until((event) => event.type === "apply" && event.object.name === "c", "c");

    rmSync(project.path("web.yaml"));
    await up.until((event) => event.type === "prune" && event.status === "successful", "a prune");
    expect(up.writes().at(-1)).toBe("pruned Deployment web");
    expect(await up.stop()).toBe(0);

    // Ctrl-C leaves what is there; only `down` takes it away.
    expect((await project.run("status")).stdout).toContain("ConfigMap default/a: Current");
    expect((await project.run("down")).stdout).toContain("3 deleted");
  });

  it("runs the hooks of a chart first, and not again with every change of the chart", async () => {
    const hook = (image: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}
`;
    project = new DevProject({
      "a.yaml": configMap("a", "one"),
      "hook.yaml": hook("busybox:1"),
      "web.yaml": deployment("web"),
    });
    const up = project.start("up");
    await up.component("web", "runtime ok");
    expect(up.writes()[0]).toBe("created Job migrate");

    project.write("a.yaml", configMap("a", "two"));
    await up.component("uncategorized", "update in_progress");
    await up.component("uncategorized", "update ok");
    expect(up.writes().slice(3)).toEqual(["configured ConfigMap a"]);

    project.write("hook.yaml", hook("busybox:2"));
    await up.until((event) => event.type === "apply" && event.change === "recreated", "a new Job");
    expect(up.writes().slice(4)).toEqual(["recreated Job migrate"]);
    expect(await up.stop()).toBe(0);
  });

  /** The process that the command of a Tiltfile is, once it runs. */
  async function commandId(): Promise<number> {
    const read = (): number =>
      existsSync(project.path("pid")) ? Number(readFileSync(project.path("pid"), "utf8")) : 0;
    await expect.poll(read).toBeGreaterThan(0);
    return read();
  }

  it("goes on while a command of the Tiltfile runs, and ends it when the Tiltfile changes again", async () => {
    const tiltfile = (slow: string): string =>
      `${slow}local_resource('compile', cmd='cat a.txt', deps=['a.txt'])\n`;
    project = new DevProject({ Tiltfile: tiltfile(""), "a.txt": "one\n" });
    const up = project.start("up");
    await up.log("compile", "one");
    await up.is("compile", "update ok");
    project.write("Tiltfile", tiltfile("local('echo $$ > pid; exec sleep 1000')\n"));
    const pid = await commandId();
    project.write("a.txt", "two\n");
    await up.log("compile", "two");
    expect((await project.run("trigger compile")).stdout).toBe("compile was triggered\n");
    expect(isAlive(pid)).toBe(true);
    project.write("Tiltfile", tiltfile("local_resource('more', cmd='echo more')\n"));
    await up.log("more", "more");
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(up.events.filter((event) => event.type === "error")).toEqual([]);
    expect(await up.stop()).toBe(0);
  });

  it("ends at once, with the command that the Tiltfile waits for", async () => {
    project = new DevProject({ Tiltfile: "local('echo $$ > pid; exec sleep 1000')\n" });
    const up = project.start("up");
    const pid = await commandId();
    expect(await up.stop()).toBe(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(up.events.filter((event) => event.type === "error")).toEqual([]);
  });

  it("keeps what was read before when the source cannot be read", async () => {
    project = new DevProject({ Tiltfile: "k8s_yaml('a.yaml')\n", "a.yaml": configMap("a", "one") });
    const up = project.start("up");
    await up.component("uncategorized", "runtime ok");
    project.write("Tiltfile", "k8s_yaml('a.yaml'\n");
    const failed = await up.until(
      (event) => event.type === "load" && event.status === "failed",
      "a failure",
    );
    expect(failed).toMatchObject({
      message: "the source cannot be read; what was read before goes on",
    });
    expect(up.events.some((event) => event.type === "error" && event.source?.line === 2)).toBe(
      true,
    );
    // Whoever sees only lines learns why.
    const { stdout } = await project.run("logs");
    expect(stdout).toMatch(/^keelson │ error\[starlark\..*\n.*  at .*Tiltfile:2:1$/m);
    project.write("a.yaml", configMap("a", "two"));
    project.write("Tiltfile", "k8s_yaml('a.yaml')\n");
    await up.load("successful");
    await up.component("uncategorized", "update ok");
    expect(up.writes()).toEqual(["created ConfigMap a", "configured ConfigMap a"]);
  });

  it("lets a component that cannot be applied hold up nobody else", async () => {
    project = new DevProject({
      "a.yaml": configMap("a", "one"),
      "api.yaml": deployment("api"),
      "web.yaml": deployment("Web"),
    });
    const up = project.start("up");
    await up.component("Web", "update error: UpdateFailed");
    await up.is("api", "runtime ok");
    await up.is("uncategorized", "update ok");
    const blamed = up.events.flatMap((event) => (event.type === "error" ? [event.subject] : []));
    expect(new Set(blamed)).toEqual(new Set(["Deployment.apps default/Web"]));

    project.write("a.yaml", configMap("a", "two"));
    project.write("web.yaml", deployment("web"));
    await up.component("web", "runtime ok");
    expect(up.writes().toSorted()).toEqual([
      "configured ConfigMap a",
      "created ConfigMap a",
      "created Deployment api",
      "created Deployment web",
    ]);
    expect(await up.stop()).toBe(0);
  });

  it("waits for a source that cannot be read at first", async () => {
    project = new DevProject({ Tiltfile: "k8s_yaml(\n" });
    const up = project.start("up");
    await up.load("failed");
    project.write("a.yaml", configMap("a", "one"));
    project.write("Tiltfile", "k8s_yaml('a.yaml')\n");
    await up.component("uncategorized", "runtime ok");
  });

  it("runs chosen components with what they wait for, and leaves the others as they are", async () => {
    const tiltfile = `k8s_yaml(['a.json', 'b.json', 'c.json'])
k8s_resource('a', resource_deps=['b'])
`;
    project = new DevProject({
      Tiltfile: tiltfile,
      "a.json": deployment("a"),
      "b.json": deployment("b"),
      "c.json": deployment("c"),
    });
    const all = project.start("up");
    await all.component("a", "runtime ok");
    await all.stop();
    const some = project.start("up", "a");
    await some.component("a", "runtime ok");
    // What was not chosen is neither applied nor pruned.
    expect(some.writes()).toEqual([]);
    await some.stop();
    expect((await project.run("status")).stdout).toContain("Deployment.apps default/c: Current");
    const wrong = await project.run("up nobody --plain");
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("there is no component");
    expect(wrong.stderr).toContain("There are: a, b, c");
  });

  it("reads a stream once", async () => {
    project = new DevProject();
    const { code, stdout } = await project.run("ci -", { stdin: configMap("a", "one") });
    expect(code).toBe(0);
    expect(stdout).toContain("✓ ConfigMap default/a created");
  });

  it("reads a program again, and only as a whole", async () => {
    const program = (color: string): string =>
      `import { k8s } from "keelson";\nnew k8s.ConfigMap("settings", { metadata: { name: "settings" }, data: { color: "${color}" } });\n`;
    project = new DevProject({ "main.ts": program("blue") });
    const up = project.start("up");
    await up.component("uncategorized", "runtime ok");
    project.write("main.ts", program("red"));
    await up.until((event) => event.type === "apply" && event.change === "configured", "a change");
    await up.component("uncategorized", "update ok");
    await up.stop();
    const chosen = project.start("up", ".", "uncategorized");
    expect(await chosen.exit()).toBe(1);
    expect(JSON.stringify(chosen.events)).toContain("devloop.whole-program");
  });

  it("deletes nothing that looks renamed, and goes on when it has been renamed", async () => {
    const made = (file: string): string =>
      `import { k8s } from "keelson";\nnew k8s.ConfigMap({ data: { file: "one" } });\n// ${file}\n`;
    project = new DevProject({ "main.ts": 'import "./old.ts";\n', "old.ts": made("old") });
    const up = project.start("up");
    await up.component("uncategorized", "runtime ok");
    project.write("new.ts", made("new"));
    project.write("main.ts", 'import "./new.ts";\n');
    const refused = await up.component("uncategorized", "update error");
    expect(refused.update.message).toContain("1 resource looks renamed, and would be deleted");
    expect(up.writes()).toHaveLength(1);
    const ci = await project.run("ci");
    expect([ci.code, ci.stdout.includes("looks renamed")]).toEqual([3, true]);
    const type = "keelson:k8s/ConfigMap";
    const renamed = await project.run(`rename dev:demo:old:${type} dev:demo:new:${type} --yes`);
    expect(renamed.code).toBe(0);
    project.write("new.ts", made("renamed"));
    await up.component("uncategorized", "update ok");
    expect(up.writes()).toHaveLength(1);
  });

  it("does not run twice for one project", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one") });
    const up = project.start("up");
    await up.component("uncategorized", "runtime ok");
    const second = project.start("up");
    expect(await second.exit()).toBe(1);
    expect(JSON.stringify(second.events)).toContain("devloop.running");
  });

  it("shows lines to those who are no terminal", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one") });
    const { code, stdout } = await project.run("ci");
    expect(code).toBe(0);
    expect(stdout).toContain("✓ ConfigMap default/a created");
    expect(stdout).toContain("uncategorized │ ✓ updated: 1 object is applied");
    expect(stdout).toContain("✓ 1 component is ready");
  });
});
