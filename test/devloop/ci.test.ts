import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { configMap, deployment, DevProject } from "./dev-project.ts";

describe("keelson ci", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("ends when all is ready, with a report", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml(['web.json', 'job.yaml'])
local_resource('check', cmd='echo fine', resource_deps=['seed'])
local_resource('later', cmd='exit 1', auto_init=False)`,
      "web.json": deployment("web"),
      "job.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: seed
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: seed, image: seed}]
`,
    });
    const { code, stdout } = await project.run("ci --junit report.xml");
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(/^✓ 4 components are ready took/) as string,
    });
    const report = readFileSync(project.path("report.xml"), "utf8");
    expect(report.replaceAll(/time="[\d.]+"/g, "time")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="demo-dev" tests="4" failures="0" skipped="1" time>
  <testsuite name="demo-dev" tests="4" failures="0" skipped="1" time>
    <testcase classname="workload" name="web" time/>
    <testcase classname="workload" name="seed" time/>
    <testcase classname="local" name="check" time/>
    <testcase classname="local" name="later" time>
      <skipped/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it("ends well with a hook of a chart that goes when it has succeeded", async () => {
    project = new DevProject({
      Tiltfile: "k8s_yaml(['web.json', 'job.yaml'])",
      "web.json": deployment("web"),
      "job.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: migrate}]
`,
    });
    for (const _run of [1, 2]) {
      const { code, stdout } = await project.run("ci");
      expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
        code: 0,
        last: expect.stringMatching(/^✓ 2 components are ready took/) as string,
      });
    }
  });

  it("writes its report into new folders, and begins nothing when it cannot", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('red', cmd='printf "\\033[31mred\\033[0m"; exit 1')`,
    });
    expect((await project.run("ci --junit out/of/report.xml")).code).toBe(3);
    const report = readFileSync(project.path("out/of/report.xml"), "utf8");
    expect(report).toContain('message="it ended with code 1: red"');

    const { code, stderr, stdout } = await project.run("ci --junit out");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error\[devloop.report-unwritable\]: .*\/out: EISDIR/);
  });

  it("tells what is worth a warning, once", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('a', cmd='true', resource_deps=['bb'])
local_resource('b', cmd='true')
warn('old')`,
    });
    const { code, stdout } = await project.run("ci --output json");
    expect(code).toBe(0);
    const codes = stdout.match(/(?<="code":")[^"]+/g);
    expect(codes).toEqual(["tiltfile.warning", "assembly.unknown-dependency"]);
  });

  it("ends as soon as one fails", async () => {
    project = new DevProject({
      Tiltfile: `local_resource('broken', cmd='echo "a < b & c"; exit 2')
local_resource('later', cmd='true', resource_deps=['broken'])`,
    });
    const { code, stdout } = await project.run("ci --junit report.xml");
    expect(code).toBe(3);
    expect(stdout).toContain("✗ broken failed: it ended with code 2: a < b & c");
    const report = readFileSync(project.path("report.xml"), "utf8");
    expect(report).toContain(
      '<failure type="CommandFailed" message="it ended with code 2: a &lt; b &amp; c"/>',
    );
    expect(report).toContain('message="waits for broken: it ended with code 2: a &lt; b &amp; c"');
  });

  it("ends when the time is over, and says what it waited for", async () => {
    project = new DevProject({
      // This time begins when the source was read, however long that took.
      Tiltfile: `ci_settings(timeout='500ms')
local_resource('slow', serve_cmd='sleep 1000', readiness_probe=probe(exec=exec_action(['false'])))`,
    });
    const { code, stdout } = await project.run("ci");
    expect(code).toBe(3);
    expect(stdout).toContain("✗ the time is over; not ready: slow");
    project.write("Tiltfile", "local('sleep 1000')\n");
    expect((await project.run("ci --timeout 100ms")).stdout).toContain(
      "✗ the time is over; the source is still being read",
    );
  });

  it("ends when a component is not ready in the time that the Tiltfile gives it", async () => {
    project = new DevProject({
      Tiltfile: `ci_settings(readiness_timeout='300ms')
local_resource('slow', serve_cmd='sleep 1000', readiness_probe=probe(exec=exec_action(['false'])))`,
    });
    const { code, stdout } = await project.run("ci");
    expect(code).toBe(3);
    expect(stdout).toContain("✗ slow failed: it is not ready in time");
  });

  it("tells everything as JSON, and refuses what cannot be read", async () => {
    project = new DevProject({ "a.yaml": configMap("a", "one") });
    const { code, stdout } = await project.run("ci --output json");
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
    expect(code).toBe(0);
    expect(last).toMatchObject({
      type: "snapshot",
      result: "ready",
      components: [{ name: "uncategorized", update: { status: "ok" }, runtime: { status: "ok" } }],
    });
    project.write("a.yaml", "kind: [");
    const wrong = await project.run("ci");
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain("the source cannot be read");
  });

  it("fails when an object is refused", async () => {
    project = new DevProject({ "a.yaml": configMap("Not_A_Name", "one") });
    const { code, stdout } = await project.run("ci");
    expect(code).toBe(3);
    expect(stdout).toContain("uncategorized failed");
  });
});

describe("keelson logs", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("shows pods and local commands of a running project, and pods of one that does not run", async () => {
    project = new DevProject({
      Tiltfile: `k8s_yaml('web.json')
local_resource('compile', cmd='echo fine; echo "error: broken"; echo "warning: old"')`,
      "web.json": deployment("web"),
    });
    const sandbox = project.start("sandbox");
    await sandbox.until(() => true, "the sandbox");
    const up = project.start("up");
    await up.log("web", "web started from image");
    await up.is("compile", "update ok");
    expect((await project.run("logs compile")).stdout).toBe("fine\nerror: broken\nwarning: old\n");
    expect((await project.run("logs compile --level warn --tail 1")).stdout).toBe("warning: old\n");
    expect((await project.run("logs")).stdout).toContain("web │ web started from image none");
    const [line] = (await project.run("logs compile --level error --json")).stdout.split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({
      type: "log",
      resource: "compile",
      level: "error",
      message: "error: broken",
    });
    await up.stop();
    expect((await project.run("logs web --tail 1")).stdout).toContain(
      "web started from image none",
    );
    expect((await project.run("logs web --since 0s")).code).toBe(0);
    const none = await project.run("logs compile");
    expect(none.stderr).toContain("error[program.unknown-resource]");
  });
});

describe("the context of keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });
  const kubeconfig = (name: string): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      contexts: [{ name, context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:9" } }],
      users: [{ name: "u", user: {} }],
    });

  it("must be one for development", async () => {
    project = new DevProject({ Tiltfile: "local_resource('a', 'true')" });
    project.write("config", kubeconfig("prod-eu"));
    const up = project.start("up", "--kubeconfig", "config");
    expect(await up.exit()).toBe(1);
    expect(JSON.stringify(up.events)).toContain("devloop.context");
  });

  it("is a list in keelson.json", async () => {
    project = new DevProject({ "keelson.json": '{"project": "demo", "allowedContexts": "team"}' });
    const { code, stderr } = await project.run("ci");
    expect(code).toBe(1);
    expect(stderr).toContain('"allowedContexts"');
  });
});
