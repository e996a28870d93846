import { afterEach, describe, expect, it } from "vitest";
import { type StartedKeelson } from "../cli/start-keelson.ts";
import { deployment, DevProject } from "./dev-project.ts";

describe("keelson logs -f", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  const next = async (logs: StartedKeelson, text: string): Promise<void> => {
    for (;;) {
      const line = await logs.nextLine();
      if (line === undefined) throw new Error(`it ended before ${text}: ${logs.errors()}`);
      if (line.includes(text)) return;
    }
  };
  const web = (text: string): string =>
    deployment("web", { run: `echo says ${text}; echo "error: ${text}" >&2; sleep 1000` });

  it("goes on with the pods that take the place of others, and ends with Ctrl-C", async () => {
    project = new DevProject({ "web.json": web("one") });
    const sandbox = project.start("sandbox", "--allow-processes");
    await sandbox.until(() => true, "the sandbox");
    expect((await project.run("apply")).code).toBe(0);
    const logs = project.startPlain("logs", "web", "-f");
    await next(logs, "says one");
    project.write("web.json", web("two"));
    expect((await project.run("apply")).code).toBe(0);
    await next(logs, "says two");
    const errors = project.startPlain("logs", "-f", "--level", "error", "--json");
    const [line] = [await errors.nextLine()];
    expect(JSON.parse(line ?? "")).toMatchObject({ type: "log", level: "error" });
    for (const each of [logs, errors]) {
      each.child.kill("SIGINT");
      expect(await each.exited).toBe(130);
    }
    const { stdout } = await project.run("logs web --tail 1");
    expect(stdout).toBe("error: two\n");
  });

  it("follows what keelson up shows, until that ends", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml('web.json')
local_resource('compile', cmd='cat in.txt', deps=['in.txt'])`,
      "in.txt": "first\n",
      "web.json": web("one"),
    });
    const up = project.start("up", "--allow-processes");
    await up.log("compile", "first");
    const logs = project.startPlain("logs", "-f", "compile");
    await next(logs, "first");
    project.write("in.txt", "second\n");
    await next(logs, "second");
    await up.logged("web", "says one");
    const both = await project.run("logs --since 1m --tail 100 --json");
    expect(both.stdout).toContain('"message":"says one"');
    expect((await project.run("logs compile --since 0s")).stdout).toBe("");
    await up.stop();
    expect(await logs.exited).toBe(0);
  });

  it("waits for a component of keelson up that has logged nothing yet, and shows what goes wrong", async () => {
    const tiltfile = `local_resource('seed', cmd='echo seeded', auto_init=False)
local_resource('first', cmd='exit 1')
k8s_yaml('web.json')
k8s_resource('web', resource_deps=['first'])
`;
    project = new DevProject({ Tiltfile: tiltfile, "web.json": deployment("web") });
    const up = project.start("up");
    await up.component("web", "update pending");
    expect(await project.run("logs seed")).toMatchObject({ code: 0, stdout: "" });
    const seed = project.startPlain("logs", "-f", "seed");
    const web = project.startPlain("logs", "-f", "web");
    const own = project.startPlain("logs", "-f", "keelson");
    // A line of each tells that it is listened to.
    project.write("Tiltfile", `print('read again')\n${tiltfile}`);
    await next(own, "read again");
    project.write("Tiltfile", "1 +");
    await next(own, "error[starlark.syntax]");
    project.write("Tiltfile", tiltfile.replace("exit 1", "true"));
    await next(web, "web started from image none");
    expect((await project.run("trigger seed")).code).toBe(0);
    await next(seed, "seeded");
    await up.stop();
    for (const each of [seed, web, own]) expect(await each.exited).toBe(0);
  });

  it("ends with the last pod of a Job", async () => {
    project = new DevProject({
      "job.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: seed
spec:
  template:
    metadata:
      annotations: {sandbox.keelson.dev/run: echo seeded}
    spec:
      restartPolicy: Never
      containers: [{name: seed, image: seed}]
`,
    });
    const sandbox = project.start("sandbox", "--allow-processes");
    await sandbox.until(() => true, "the sandbox");
    expect((await project.run("apply")).code).toBe(0);
    const logs = project.startPlain("logs", "seed", "-f");
    await next(logs, "seeded");
    expect(await logs.exited).toBe(0);
  });

  it("shows what a provider has", async () => {
    project = new DevProject({
      "main.ts": `import { local } from "keelson";
new local.Process("server", { command: ["sh", "-c", "echo begun; echo 'error: broken'; sleep 1000"] });
`,
    });
    expect((await project.run("apply --yes")).code).toBe(0);
    const { stdout } = await project.run("logs server --level error");
    expect(stdout).toBe("error: broken\n");
    const [line] = (await project.run("logs server --tail 1 --json")).stdout.split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({ message: "error: broken", level: "error" });
    expect((await project.run("down")).code).toBe(0);
  });
});
