import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { deployment, DevProject, freePort } from "./dev-project.ts";

describe("local components of keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("run commands with their folder and environment, and again when their files change", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('compile', cmd='echo $COLOR; cat in.txt', dir='src', env={'COLOR': 'blue'}, deps=['src'], ignore=['src/*.tmp'])`,
      "src/in.txt": "first\n",
    });
    const up = project.start("up");
    await up.log("compile", "blue");
    await up.log("compile", "first");
    const done = await up.component("compile", "update ok: CommandSucceeded");
    expect(done.runtime.status).toBe("not_applicable");
    project.write("src/ignored.tmp", "x");
    project.write("src/in.txt", "second\n");
    const changed = await up.component("compile", "update in_progress");
    expect(changed.update.message).toBe(`${project.path("src/in.txt")} changed`);
    await up.log("compile", "second");
  });

  it("fail with the last line of their command, and are mended by the next change", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('check', cmd='sh check.sh', deps=['check.sh'])
local_resource('later', cmd='echo now', resource_deps=['check'])`,
      "check.sh": "echo wrong; exit 3\n",
    });
    const up = project.start("up");
    const failed = await up.component("check", "update error");
    expect(failed.update.message).toBe("it ended with code 3: wrong");
    const waiting = await up.component("later", "update pending: WaitingForDependency");
    expect(waiting.update.message).toBe("waits for check: it ended with code 3: wrong");
    project.write("check.sh", "echo right\n");
    await up.component("later", "update ok");
  });

  it("wait for components of the cluster, and those for them", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml(['db.json', 'web.json'])
local_resource('migrate', cmd='echo migrated', resource_deps=['db'])
k8s_resource('web', resource_deps=['migrate'])`,
      "db.json": deployment("db"),
      "web.json": deployment("web"),
    });
    const up = project.start("up");
    await up.component("web", "runtime ok");
    const order = up.events.flatMap((event) =>
      event.type === "component" && event.update.status === "ok" ? [event.component] : [],
    );
    expect([...new Set(order)]).toEqual(["db", "migrate", "web"]);
  });

  it("serve until they are stopped, and are ready when their probe says so", async () => {
    const port = await freePort();
    project = new DevProject({
      "server.mjs": `import { createServer } from "node:http";
import { existsSync } from "node:fs";
console.log("listening");
createServer((request, response) => { response.writeHead(existsSync("ready") ? 200 : 503).end(); }).listen(${port}, "127.0.0.1");`,
      Tiltfile: `local_resource('server', serve_cmd=['${process.execPath}', 'server.mjs'], deps=['server.mjs'],
  readiness_probe=probe(period_secs=1, http_get=http_get_action(port=${port}, path='/health')), links=['http://localhost:${port}/docs'])`,
    });
    const up = project.start("up");
    await up.log("server", "listening");
    const notYet = await up.component("server", "runtime pending: NotReady");
    expect(notYet.update.status).toBe("ok");
    project.write("ready", "");
    const ready = await up.component("server", "runtime ok: Ready");
    expect(ready.endpoints).toEqual([{ url: `http://localhost:${port}/docs` }]);
    project.write("server.mjs", "console.log('broken'); process.exit(7);");
    const broken = await up.component("server", "runtime error: ServerEnded");
    expect(broken.runtime.message).toBe("its server is not running: it ended with code 7");
    expect(await up.stop()).toBe(0);
    // Nothing listens there any more.
    const free = createServer();
    await new Promise<void>((resolve, reject) => {
      free.once("error", reject);
      free.listen(port, "127.0.0.1", resolve);
    });
    await new Promise((resolve) => free.close(resolve));
  });

  it.each([
    ["exec", "exec=exec_action(['sh', '-c', 'test -e ready'])"],
    ["tcp", "tcp_socket=tcp_socket_action(port=PORT)"],
  ])("are probed by %s", async (_name, action) => {
    const port = await freePort();
    project = new DevProject({
      Tiltfile: `local_resource('server', serve_cmd='sleep 1000', readiness_probe=probe(period_secs=1, ${action.replace("PORT", String(port))}))`,
    });
    const up = project.start("up");
    await up.component("server", "runtime pending: NotReady");
    project.write("ready", "");
    const server = createServer().listen(port, "127.0.0.1");
    await up.component("server", "runtime ok: Ready");
    await new Promise((resolve) => server.close(resolve));
  });

  it("are updated by hand where they ask for it", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('lint', cmd='echo linted', deps=['a.txt'], trigger_mode=TRIGGER_MODE_MANUAL)
local_resource('seed', cmd='echo seeded', auto_init=False)
k8s_yaml('web.json')
k8s_resource('web', trigger_mode=TRIGGER_MODE_MANUAL)`,
      "a.txt": "one",
      "web.json": deployment("web"),
    });
    const up = project.start("up");
    await up.component("web", "runtime ok");
    expect(up.events.some((event) => event.type === "log" && event.component === "seed")).toBe(
      false,
    );
    project.write("a.txt", "two");
    const held = await up.component("lint", "update pending: ManualTrigger");
    expect(held.update.message).toContain("`keelson trigger lint` updates it");
    expect((await project.run("trigger lint seed")).stdout).toBe(
      "lint was triggered\nseed was triggered\n",
    );
    await up.component("seed", "update ok");
    project.write("web.json", deployment("web", { image: "other" }));
    await up.component("web", "update pending: ManualTrigger");
    expect(up.writes()).toEqual(["created Deployment web"]);
    await project.run("trigger web");
    await up.component("web", "update ok");
    expect(up.writes()).toEqual(["created Deployment web", "configured Deployment web"]);
    expect((await project.run("__complete -- trigger li")).stdout).toBe("lint\t\n");
    const wrong = await project.run("trigger lin");
    expect(wrong.stderr).toContain("error[devloop.unknown-component]");
    expect(wrong.stderr).toContain("did you mean lint?");
    await up.stop();
    expect((await project.run("trigger lint")).stderr).toContain("error[devloop.not-running]");
  });

  it("run one after the other unless they may run side by side", async () => {
    // Each fails if the other runs meanwhile.
    const alone = "mkdir lock && sleep 0.1 && rmdir lock";
    const pair = (command: string, parallel: string): string =>
      ["a", "b"]
        .map((name) => `local_resource('${name}', cmd='${command}', allow_parallel=${parallel})`)
        .join("\n");
    project = new DevProject({ Tiltfile: pair(alone, "False") });
    expect((await project.run("ci")).code).toBe(0);
    project.write("Tiltfile", `update_settings(max_parallel_updates=1)\n${pair(alone, "True")}`);
    expect((await project.run("ci")).code).toBe(0);
    // Each ends only when the other runs.
    const together = "touch a.$$ && until test $(ls a.* | wc -l) = 2; do sleep 0.05; done";
    project.write("Tiltfile", pair(together, "True"));
    expect((await project.run("ci --timeout 90s")).code).toBe(0);
  });

  it("deploy again with an image that their commands use, when only that changes", async () => {
    project = new DevProject({
      Tiltfile: `custom_build('tool', 'cat tool/a.txt > built.txt && echo building', deps=['tool'], skips_local_docker=True)
k8s_custom_deploy('custom', apply_cmd='echo "$TILT_IMAGE_0 has $(cat built.txt)" >&2; cat custom.yaml', delete_cmd='true', deps=[], image_deps=['tool'])`,
      "tool/a.txt": "one\n",
      // What is there in any case stands for what the command would have applied.
      "custom.yaml": "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n",
    });
    const imageWith = (content: string): string =>
      up.events.flatMap((event) =>
        event.type === "log" && event.message.endsWith(` has ${content}`) ? [event.message] : [],
      )[0] ?? "";
    const up = project.start("up");
    await up.log("custom", "has one");
    await up.is("custom", "runtime ok");
    expect(imageWith("one")).toMatch(/^tool:\S+ has one$/);
    project.write("tool/a.txt", "two\n");
    await up.log("custom", "has two");
    expect(imageWith("two").split(" ")[0]).not.toBe(imageWith("one").split(" ")[0]);
    await up.is("custom", "update ok");
    // What cannot be built is not deployed, and is when it can.
    project.write(
      "Tiltfile",
      readFileSync(project.path("Tiltfile"), "utf8").replace("cat tool", "exit 3; cat tool"),
    );
    await up.component("custom", "update error: UpdateFailed");
    project.write(
      "Tiltfile",
      readFileSync(project.path("Tiltfile"), "utf8").replace("exit 3; ", ""),
    );
    await up.component("custom", "update ok");
    expect((await project.run("ci")).code).toBe(0);
  });

  it("deploy by commands of the user", async () => {
    project = new DevProject({
      Tiltfile: `k8s_custom_deploy('custom', apply_cmd='sh apply.sh', delete_cmd='echo gone > deleted.txt', deps=['apply.sh'])`,
      "apply.sh":
        'echo applying >&2; echo \'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}\'\n',
    });
    const up = project.start("up");
    await up.log("custom", "applying");
    await up.component("custom", "runtime ok");
    project.write("apply.sh", "echo cannot >&2; exit 1\n");
    const failed = await up.component("custom", "update error");
    expect(failed.update.message).toBe("it ended with code 1: cannot");
    // What is no longer wished for is taken away by the command that can.
    project.write("Tiltfile", "local_resource('other', 'test -f deleted.txt && echo other')");
    await up.log("other", "other");
    expect(readFileSync(project.path("deleted.txt"), "utf8")).toBe("gone\n");
  });
});
