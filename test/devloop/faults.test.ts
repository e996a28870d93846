import { existsSync, readFileSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { configMap, deployment, DevProject, freePort, isAlive } from "./dev-project.ts";

describe("keelson up survives", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("being killed with local servers: they end with it, and the next one works", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml('a.yaml')
local_resource('server', serve_cmd='sleep 1000 & echo $! >> pids; echo $$ >> pids; echo serving; wait')
local_resource('slow', cmd='echo $$ >> pids; echo working; sleep 1000', allow_parallel=True)`,
      "a.yaml": configMap("a", "one"),
    });
    const up = project.start("up");
    await up.until((event) => event.type === "log" && event.message === "serving", "serving");
    await up.is("slow", "update in_progress");
    await up.is("uncategorized", "runtime ok");
    await up.kill();
    const pids = readFileSync(project.path("pids"), "utf8").trim().split("\n").map(Number);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await until(() => !pids.some(isAlive));
    const next = project.start("up");
    await next.component("server", "runtime ok");
    await next.is("uncategorized", "runtime ok");
  });

  it("being killed while its Tiltfile runs a command, which ends with it", async () => {
    project = new DevProject({
      Tiltfile: `local('sleep 1000 & echo $! >> pids; echo $$ >> pids; touch written; wait')`,
    });
    const up = project.start("up");
    await until(() => existsSync(project.path("written")));
    await up.kill();
    const pids = readFileSync(project.path("pids"), "utf8").trim().split("\n").map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive));
  }, 120_000);

  it.each([
    ["a command of its Tiltfile", "local('echo $$ > pid; kill -9 $PPID; sleep 1000')"],
    ["a server", "local_resource('a', serve_cmd='echo $$ > pid; kill -9 $PPID; exec sleep 1000')"],
  ])("being killed the moment %s begins", async (_what, Tiltfile) => {
    project = new DevProject({ Tiltfile });
    await project.start("up").exit();
    const pid = Number(readFileSync(project.path("pid"), "utf8"));
    await until(() => !isAlive(pid));
  });

  it("being killed while it applies: the next one waits as long as it lives, and does the rest", async () => {
    const db = deployment("db", { trouble: "never-ready" });
    const web = deployment("web", { dependsOn: "apps/namespaces/default/Deployment/db" });
    project = new DevProject({
      "old.yaml": configMap("old", "one"),
      "db.json": db,
      "web.json": web,
    });
    const sandbox = project.start("sandbox", "serve", "--port", "0");
    await sandbox.until(() => true, "the sandbox");
    const killed = project.start("up");
    const isWritten = (name: string): boolean =>
      killed.events.some(
        ({ type, ...event }) => type === "apply" && JSON.stringify(event).includes(`"${name}"`),
      );
    // What is left can only be written when the database is ready, which it never is.
    await killed.until(() => isWritten("db") && isWritten("old"), "half of it");
    killed.stopThere();
    expect(killed.writes().toSorted()).toEqual(["created ConfigMap old", "created Deployment db"]);
    rmSync(project.path("old.yaml"));
    project.write("db.json", deployment("db"));

    const next = project.start("up");
    const waiting = await next.component("web", "update in_progress: Locked");
    expect(waiting.update.message).toMatch(
      /^waiting for .+ \(process \d+\), which changes this inventory$/,
    );
    await killed.kill();
    await next.component("web", "runtime ok");
    await next.is("db", "runtime ok");
    expect(next.writes().toSorted()).toEqual([
      "configured Deployment db",
      "created Deployment web",
      "pruned ConfigMap old",
    ]);
    await next.stop();
    const { stdout, code } = await project.run("plan");
    expect(stdout).toContain("2 unchanged");
    expect(code).toBe(0);
  }, 120_000);

  it("a cluster that goes and comes back", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one"), "web.json": deployment("web") });
    const port = String(await freePort());
    const first = project.start("sandbox", "serve", "--port", port);
    await first.until(() => true, "the sandbox");
    const up = project.start("up");
    await up.component("web", "runtime ok");
    await first.kill();
    project.write("a.yaml", configMap("a", "two"));
    const away = await up.component("uncategorized", "update pending: Unreachable");
    expect(away.update.message).toContain("it is tried again every 2 s");
    const second = project.start("sandbox", "serve", "--port", port);
    await second.until(() => true, "the sandbox");
    await up.component("uncategorized", "update ok");
    expect(up.writes().at(-1)).toBe("configured ConfigMap a");
    // What it watches goes on, too.
    project.write("web.json", deployment("web", { image: "other" }));
    await up.component("web", "update ok");
    await up.is("web", "runtime ok");
    await up.stop();
  });

  it("a Tiltfile that never ends", async () => {
    project = new DevProject({ Tiltfile: "while True: pass\n" });
    const up = project.start("up");
    await up.load("failed");
    expect(JSON.stringify(up.events)).toContain("too many steps");
    project.write("Tiltfile", "local_resource('a', cmd='echo fine')\n");
    await up.log("a", "fine");
  });

  it("folders that go and come back", async () => {
    project = new DevProject({
      Tiltfile: `docker_build('web', 'web')
custom_build('tool', 'cat tool/a.txt', deps=['tool'], skips_local_docker=True)
k8s_yaml('tool.json')
local_resource('compile', cmd='cat src/a.txt', deps=['src'])`,
      "web/Dockerfile": "FROM scratch\n",
      "tool/a.txt": "one\n",
      "src/a.txt": "one\n",
      "tool.json": deployment("tool", { image: "tool" }),
    });
    const up = project.start("up");
    await up.component("tool", "runtime ok");
    await up.is("compile", "update ok");
    for (const folder of ["tool", "src"])
      rmSync(project.path(folder), { recursive: true, force: true });
    await up.is("tool", "update error");
    await up.is("compile", "update error");
    project.write("tool/a.txt", "two\n");
    project.write("src/a.txt", "two\n");
    await up.is("tool", "update ok");
    await up.is("compile", "update ok");
    expect(JSON.stringify(up.events)).not.toContain("cli.internal");
  });
});
