/** Helm hooks as steps of an apply, in YAML as `helm template` prints it. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { helmPath } from "../cluster/kubectl.ts";
import { hookScenarios } from "./hook-scenarios.ts";
import { type HookEvent, HookWorld } from "./hook-world.ts";
import { configMap, type LiveWorld } from "./live-world.ts";

let hooks: HookWorld;
let world: LiveWorld;
beforeEach(() => {
  hooks = new HookWorld();
  world = hooks.live;
});
afterEach(() => {
  world.remove();
});

const both = "pre-install,pre-upgrade";

hookScenarios(() => undefined, "sandbox");

describe("hooks", () => {
  it("stop what comes after them when they fail, and run again in the next apply", async () => {
    const failing = hooks.job("migrate", both, { trouble: "crash-loop", policy: "hook-failed" });
    const steps = await hooks.apply(
      failing,
      hooks.color("blue"),
      hooks.job("report", "post-install"),
    );
    expect(steps.slice(0, 2)).toEqual(["migrate created", "migrate failed"]);
    expect(steps.slice(2).sort()).toEqual([
      "migrate deleted",
      expect.stringMatching(/^report skipped: it waits for /),
      expect.stringMatching(/^settings skipped: it waits for Job migrate, which is not ready: /),
    ]);
    expect(
      await hooks.apply(
        hooks.job("migrate", both),
        hooks.color("blue"),
        hooks.job("report", "post-install"),
      ),
    ).toEqual([
      "migrate created",
      "migrate ready",
      "settings created",
      "settings ready",
      "report created",
      "report ready",
    ]);
  });

  it("that failed after an install run again, though nothing else changes", async () => {
    const report = (trouble: string): string => hooks.job("report", "post-install", { trouble });
    expect(await hooks.apply(hooks.color("blue"), report("crash-loop"))).toContain("report failed");
    expect(await hooks.apply(hooks.color("blue"), report(""))).toEqual([
      "settings unchanged",
      "settings ready",
      "report recreated",
      "report ready",
    ]);
  });

  it("that still run when an apply gives up are waited for by the next one, not begun again", async () => {
    const objects = [hooks.job("migrate", both, { trouble: "slow=5s" }), hooks.color("blue")];
    expect(await hooks.applyWithin("1s", ...objects)).toEqual([
      "migrate created",
      expect.stringMatching(/^settings skipped: it waits for Job migrate, which is not ready: /),
    ]);
    const before = await hooks.jobs();
    expect(await hooks.apply(...objects)).toEqual([
      "migrate unchanged",
      "migrate ready",
      "settings created",
      "settings ready",
    ]);
    expect(await hooks.jobs()).toEqual(before);
  });

  it("may be Pods, which kwok does not end", async () => {
    const account = hooks.account("migrator");
    const pod = `apiVersion: v1
kind: Pod
metadata: {name: check, namespace: ${hooks.namespace}, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}}
spec: {restartPolicy: Never, serviceAccountName: migrator, containers: [{name: c, image: busybox}]}
---
`;
    expect(await hooks.apply(hooks.color("blue"), pod, account)).toEqual([
      "migrator created",
      "migrator ready",
      "check created",
      "check ready",
      "settings created",
      "settings ready",
      "check deleted",
      "migrator deleted",
    ]);
    expect((await hooks.plan(hooks.color("blue"), pod, account)).stdout).toBe("3 unchanged\n");
  });

  it("of tests, deletions and rollbacks are left out, and said in one line", async () => {
    const objects = [
      hooks.color("blue"),
      hooks.job("try", "test"),
      hooks.job("clean", "pre-delete"),
      hooks.job("back", "post-rollback"),
    ];
    const { stdout, stderr } = await hooks.live.live("plan -", hooks.group() + objects.join(""));
    expect(stdout).toBe("+ ConfigMap default/settings\n1 to create\n");
    expect(stderr).toContain(
      "warning[objects.hooks-left-out]: 3 Helm hooks are left out, because an apply runs only install and upgrade hooks: Job.batch default/try (test), Job.batch default/clean (pre-delete), Job.batch default/back (post-rollback)\n",
    );
  });
});

it("an object that Helm is told to keep is not pruned", async () => {
  await hooks.apply(
    hooks.color("blue"),
    configMap("kept", {}, { "helm.sh/resource-policy": "keep" }),
  );
  expect((await hooks.plan(hooks.color("blue"))).stdout).toContain("kept keep");
});

const chart = (): Readonly<Record<string, string>> => ({
  "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "chart/templates/all.yaml": `${configMap("{{ .Release.Name }}-settings")}${hooks.job("{{ .Release.Name }}-migrate", both)}${hooks.job("{{ .Release.Name }}-try", "test")}`,
});

const path = (): string => `${join(world.home, "bin")}:${process.env["PATH"] ?? ""}`;

function keelson(...args: readonly string[]): Promise<Ran> {
  const env = { HOME: world.home, PATH: path() };
  return runKeelson(args, { env, workingDirectory: world.home });
}

/** The steps of an apply of a whole source, without what is not waited for. */
async function applySource(input: string): Promise<readonly string[]> {
  const { stdout } = await keelson("apply", input, "--output", "json");
  expect(stdout).not.toContain('"type":"error"');
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as HookEvent)
    .filter(({ type, status }) => ["apply", "wait"].includes(type) && status === "successful")
    .map(({ type, object }) => `${object.name} ${type === "apply" ? "written" : "ready"}`);
}

const steps = (release: string): readonly string[] => [
  `${release}-migrate written`,
  `${release}-migrate ready`,
  `${release}-settings written`,
  `${release}-settings ready`,
];

describe("hooks of a chart", () => {
  const of = (release: string, all: readonly string[]): readonly string[] =>
    all.filter((step) => step.startsWith(`${release}-`));
  beforeEach(async () => {
    for (const [path, text] of Object.entries(chart())) hooks.live.write(`app/${path}`, text);
    hooks.live.write("app/keelson.json", '{"project": "hooks"}');
    hooks.live.write("bin/.keep", "");
    symlinkSync(await helmPath(), join(world.home, "bin/helm"));
    const before = process.env["PATH"];
    process.env["PATH"] = path();
    onTestFinished(() => {
      process.env["PATH"] = before;
    });
  });

  it("in a Tiltfile come before the objects of that chart, and of no other", async () => {
    const text = "k8s_yaml(helm('chart', name='one'))\nk8s_yaml(helm('chart', name='two'))\n";
    hooks.live.write("app/Tiltfile", text);
    const all = await applySource("app/Tiltfile");
    expect(of("one", all)).toEqual(steps("one"));
    expect(of("two", all)).toEqual(steps("two"));
    expect((await keelson("plan", "app/Tiltfile")).stdout).toBe("4 unchanged\n");
  });

  it("in a program come before the objects of that chart, and of no other", async () => {
    hooks.live.write(
      "app/main.ts",
      'import { helm } from "keelson";\nhelm("chart", { name: "one" });\nhelm("chart", { name: "two" });\n',
    );
    const all = await applySource("app");
    expect(of("one", all)).toEqual(steps("one"));
    expect(of("two", all)).toEqual(steps("two"));
    expect((await keelson("plan", "app")).stdout).toBe("4 unchanged\n");
  });
});
