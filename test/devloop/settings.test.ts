import { afterEach, describe, expect, it } from "vitest";
import { configMap, deployment, DevProject } from "./dev-project.ts";

/** A container that runs, or fails until a file is there. */
const failing = "test -e mended || exit 1; sleep 1000";

describe("what a user can set for the dev loop", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  const tiltfile = `config.define_bool('debug', usage='talk')
config.define_string_list('only', args=True)
settings = config.parse()
local_resource('say', cmd='echo debug is %s, only %s' % (settings.get('debug', False), settings.get('only', [])))
`;
  it("are settings of a Tiltfile, on the command line and in tilt_config.json", async () => {
    project = new DevProject({ Tiltfile: tiltfile });
    const given = await project.run("ci -- --debug");
    expect(given.stdout).toContain("say │ debug is True, only []");
    project.write("tilt_config.json", '{"debug": true, "only": ["a"]}');
    const up = project.start("up");
    await up.log("say", "debug is True, only [a]");
    // The file is part of the source.
    project.write("tilt_config.json", '{"only": ["b"]}');
    await up.log("say", "debug is False, only [b]");
    await up.stop();
    const wrong = await project.run("ci -- --nonsense");
    expect({ code: wrong.code, told: wrong.stdout.includes("nonsense") }).toEqual({
      code: 1,
      told: true,
    });
  });

  it("is how long something may be broken in ci", async () => {
    project = new DevProject({
      Tiltfile:
        "local_resource('server', serve_cmd='exit 4', readiness_probe=probe(exec=exec_action(['false'])))",
    });
    const { code, stdout } = await project.run("ci --grace-period 300ms");
    expect(code).toBe(3);
    expect(stdout).toContain("✗ server failed: its server is not running: it ended with code 4");
    const lasting = await project.run("ci --grace-period 1m --timeout 1s");
    expect(lasting.stdout).toContain("✗ the time is over");
  });

  it("is that nobody waits for the pods of a component", async () => {
    project = new DevProject();
    const run = `cd "${project.folder}"; ${failing}`;
    project.write("web.json", deployment("web", { run, readyAfterSeconds: 3 }));
    project.write(
      "Tiltfile",
      `k8s_yaml('web.json')
k8s_resource('web', pod_readiness='ignore')
local_resource('after', cmd='echo after', resource_deps=['web'])`,
    );
    expect((await project.run("ci --allow-processes --timeout 90s")).code).toBe(0);
    project.write("slow.json", deployment("slow", { readyAfterSeconds: 600 }));
    project.write("Tiltfile", "k8s_yaml(['web.json', 'slow.json'])");
    const waits = await project.run("ci --allow-processes --timeout 2s --grace-period 1m");
    expect(waits.code).toBe(3);
    expect(waits.stdout).toContain("✗ the time is over");
    project.write("Tiltfile", "k8s_yaml('web.json')");
    // It still fails when ci begins, and may be mended as long as the grace lasts.
    project.write("mended", "");
    const mended = await project.run("ci --allow-processes --grace-period 30s --timeout 90s");
    expect(mended.code).toBe(0);
  });

  it("is which components run at all, and the others by hand", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml(['a.json', 'b.json'])
k8s_resource('b', auto_init=False)`,
      "a.json": deployment("a"),
      "b.json": deployment("b"),
    });
    const up = project.start("up");
    await up.component("a", "runtime ok");
    expect(up.writes()).toEqual(["created Deployment a"]);
    // A change alone does not start it.
    project.write("b.json", deployment("b", { image: "other" }));
    await up.load("successful");
    project.write("a.json", deployment("a", { image: "other" }));
    await up.component("a", "update ok");
    expect(up.writes()).not.toContain("created Deployment b");
    await project.run("trigger b");
    await up.component("b", "runtime ok");
    // From then on it is like the others.
    project.write("b.json", deployment("b", { image: "another" }));
    await up.component("b", "update ok");
    expect(up.writes().at(-1)).toBe("configured Deployment b");
  });

  it("is what waits for what, looked at again for every update", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('first', cmd='sh first.sh', deps=['first.sh'])
local_resource('second', cmd='cat second.txt', deps=['second.txt'], resource_deps=['first'])`,
      "first.sh": "echo fine\n",
      "second.txt": "one\n",
    });
    const up = project.start("up");
    await up.log("second", "one");
    project.write("first.sh", "exit 1\n");
    await up.component("first", "update error");
    project.write("second.txt", "two\n");
    await up.component("second", "update pending: WaitingForDependency");
    project.write("first.sh", "echo fine again\n");
    await up.log("second", "two");
  });

  it("is how many images are built at once", async () => {
    // Each fails if the other is built meanwhile.
    const build = "mkdir lock && sleep 0.2 && rmdir lock";
    project = new DevProject({
      Tiltfile: `update_settings(max_parallel_updates=1)
custom_build('a', '${build}', deps=['a.json'], skips_local_docker=True)
custom_build('b', '${build}', deps=['b.json'], skips_local_docker=True)
k8s_yaml(['a.json', 'b.json'])`,
      "a.json": deployment("a", { image: "a" }),
      "b.json": deployment("b", { image: "b" }),
    });
    expect((await project.run("ci")).code).toBe(0);
  });

  it("is a stream, which is read once", async () => {
    project = new DevProject();
    const up = project.start("up", "-");
    up.input(configMap("a", "one"));
    await up.component("uncategorized", "runtime ok");
    expect(await up.stop()).toBe(0);
  });
});
