/** Helm hooks as steps of an apply, in YAML as `helm template` prints it. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { helmPath } from "../cluster/kubectl.ts";
import { configMap, group, LiveWorld } from "./live-world.ts";

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
});
afterEach(() => {
  world.remove();
});

interface JobOptions {
  readonly weight?: number;
  readonly policy?: string;
  readonly image?: string;
  readonly trouble?: string;
}

function job(name: string, hook: string, options: JobOptions = {}): string {
  const {
    weight = 0,
    policy = "before-hook-creation",
    image = "busybox:1",
    trouble = "",
  } = options;
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: default
  annotations: {helm.sh/hook: "${hook}", helm.sh/hook-weight: "${weight}", helm.sh/hook-delete-policy: "${policy}"}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {sandbox.keelson.dev/trouble: "${trouble}"}}
    spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}
---
`;
}

/** Applies objects, and gives what was done in the order in which it was done, then the summary. */
function apply(...objects: readonly string[]): Promise<readonly string[]> {
  return applyWithin("90s", ...objects);
}

async function applyWithin(
  timeout: string,
  ...objects: readonly string[]
): Promise<readonly string[]> {
  const { stdout } = await world.live(
    `apply - --output events-json --reconcile-timeout ${timeout}`,
    group("hooks") + objects.join(""),
  );
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);
  return events.flatMap(({ type, status, change, reason, object, message }) => {
    if (type === "apply" && status === "successful") return [`${object.name} ${change ?? ""}`];
    if (type === "wait" && status === "successful") return [`${object.name} ready`];
    if (type === "wait" && status === "failed") return [`${object.name} failed`];
    if (type === "apply" && status === "skipped") return [`${object.name} skipped: ${message}`];
    return reason === "HookDeleted" ? [`${object.name} deleted`] : [];
  });
}

interface Event {
  readonly type: string;
  readonly status: string;
  readonly change?: string;
  readonly reason?: string;
  readonly message: string;
  readonly object: { readonly name: string };
}

const plan = async (...objects: readonly string[]): Promise<string> =>
  (await world.live("plan -", group("hooks") + objects.join(""))).stdout;

const jobs = (): Promise<readonly string[]> =>
  world.look(async (cluster) => {
    const { items } = await cluster.list({ apiVersion: "batch/v1", kind: "Job" }, {});
    return items.map(({ metadata }) => `${metadata.name ?? ""} ${metadata.uid ?? ""}`);
  });

const both = "pre-install,pre-upgrade";
const color = (value: string): string => configMap("settings", { color: value });

describe("hooks", () => {
  it("run before and after everything else, by their weights", async () => {
    const objects = [
      job("report", "post-install", { weight: 1 }),
      job("notify", "post-install", { weight: -1 }),
      color("blue"),
      job("migrate", both, { weight: 5 }),
      job("check", both, { weight: -5 }),
    ];
    const steps = (await apply(...objects)).filter((step) => !step.endsWith("created"));
    expect(steps).toEqual([
      "check ready",
      "migrate ready",
      "settings ready",
      "notify ready",
      "report ready",
    ]);
    expect(await plan(...objects)).toBe("5 unchanged\n");
  });

  it("run again when something else of the chart changes, each at its moment", async () => {
    const objects = (value: string): readonly string[] => [
      job("seed", "post-install"),
      job("migrate", "post-install,pre-upgrade"),
      color(value),
      job("report", "post-upgrade"),
    ];
    expect(await apply(...objects("blue"))).toEqual([
      "settings created",
      "settings ready",
      "report unchanged",
      "seed created",
      "migrate created",
      expect.stringMatching(/^(?:seed|migrate) ready$/),
      expect.stringMatching(/^(?:seed|migrate) ready$/),
    ]);
    const before = await jobs();
    expect(await plan(...objects("blue"))).toBe("4 unchanged\n");
    expect(await plan(...objects("red"))).toContain(
      "± Job.batch default/migrate replaced because of the hook pre-upgrade, the old one goes first\n",
    );
    expect(await apply(...objects("red"))).toEqual([
      "migrate recreated",
      "migrate ready",
      "settings configured",
      "settings ready",
      "seed unchanged",
      "report created",
      "report ready",
    ]);
    const after = await jobs();
    expect(after.filter((each) => before.includes(each))).toEqual([
      expect.stringMatching(/^seed /),
    ]);
  });

  it("go when they have succeeded and ask for it, and are not run again for that", async () => {
    const objects = [job("migrate", both, { policy: "hook-succeeded" }), color("blue")];
    expect(await apply(...objects)).toEqual([
      "migrate created",
      "migrate ready",
      "settings created",
      "settings ready",
      "migrate deleted",
    ]);
    await expect.poll(jobs).toEqual([]);
    expect(await plan(...objects)).toBe("2 unchanged\n");
    world.write("rg.yaml", group("hooks"));
    expect((await world.live("status --rg-file rg.yaml")).stdout).not.toContain("migrate");
    expect(await apply(...objects)).toEqual([
      "migrate unchanged",
      "settings unchanged",
      "settings ready",
    ]);
    const [, ...others] = objects;
    expect(
      await apply(
        job("migrate", both, { policy: "hook-succeeded", image: "busybox:2" }),
        ...others,
      ),
    ).toContain("migrate created");
    expect((await world.live("destroy --rg-file rg.yaml --yes")).code).toBe(0);
  });

  it("stop what comes after them when they fail, and run again in the next apply", async () => {
    const failing = job("migrate", both, { trouble: "crash-loop", policy: "hook-failed" });
    const steps = await apply(failing, color("blue"), job("report", "post-install"));
    expect(steps.slice(0, 2)).toEqual(["migrate created", "migrate failed"]);
    expect(steps.slice(2).sort()).toEqual([
      "migrate deleted",
      expect.stringMatching(/^report skipped: it waits for /),
      expect.stringMatching(/^settings skipped: it waits for Job migrate, which is not ready: /),
    ]);
    expect(await apply(job("migrate", both), color("blue"), job("report", "post-install"))).toEqual(
      [
        "migrate created",
        "migrate ready",
        "settings created",
        "settings ready",
        "report created",
        "report ready",
      ],
    );
  });

  it("that failed after an install run again, though nothing else changes", async () => {
    const report = (trouble: string): string => job("report", "post-install", { trouble });
    expect(await apply(color("blue"), report("crash-loop"))).toContain("report failed");
    expect(await apply(color("blue"), report(""))).toEqual([
      "settings unchanged",
      "settings ready",
      "report recreated",
      "report ready",
    ]);
  });

  it("that still run when an apply gives up are waited for by the next one, not begun again", async () => {
    const objects = [job("migrate", both, { trouble: "slow=5s" }), color("blue")];
    expect(await applyWithin("1s", ...objects)).toEqual([
      "migrate created",
      expect.stringMatching(/^settings skipped: it waits for Job migrate, which is not ready: /),
    ]);
    const before = await jobs();
    expect(await apply(...objects)).toEqual([
      "migrate unchanged",
      "migrate ready",
      "settings created",
      "settings ready",
    ]);
    expect(await jobs()).toEqual(before);
  });

  it("of other kinds last as long as the Job that needs them", async () => {
    const account = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: migrator
  namespace: default
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "-1", helm.sh/hook-delete-policy: hook-succeeded}
---
`;
    const pod = `apiVersion: v1
kind: Pod
metadata: {name: check, namespace: default, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}}
spec: {restartPolicy: Never, serviceAccountName: migrator, containers: [{name: c, image: busybox}]}
---
`;
    expect(await apply(color("blue"), pod, account)).toEqual([
      "migrator created",
      "migrator ready",
      "check created",
      "check ready",
      "settings created",
      "settings ready",
      "check deleted",
      "migrator deleted",
    ]);
    expect(await plan(color("blue"), pod, account)).toBe("3 unchanged\n");
  });

  it("run again when they change themselves", async () => {
    await apply(color("blue"), job("migrate", both));
    expect(await apply(color("blue"), job("migrate", both, { image: "busybox:2" }))).toContain(
      "migrate recreated",
    );
  });

  it("of tests, deletions and rollbacks are left out, and said in one line", async () => {
    const objects = [
      color("blue"),
      job("try", "test"),
      job("clean", "pre-delete"),
      job("back", "post-rollback"),
    ];
    const { stdout, stderr } = await world.live("plan -", group("hooks") + objects.join(""));
    expect(stdout).toBe("+ ConfigMap default/settings\n1 to create\n");
    expect(stderr).toContain(
      "warning[objects.hooks-left-out]: 3 Helm hooks are left out, because an apply runs only install and upgrade hooks: Job.batch default/try (test), Job.batch default/clean (pre-delete), Job.batch default/back (post-rollback)\n",
    );
  });
});

it("an object that Helm is told to keep is not pruned", async () => {
  await apply(color("blue"), configMap("kept", {}, { "helm.sh/resource-policy": "keep" }));
  expect(await plan(color("blue"))).toContain("kept keep");
});

const chart = {
  "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "chart/templates/all.yaml": `${configMap("{{ .Release.Name }}-settings")}${job("{{ .Release.Name }}-migrate", both)}${job("{{ .Release.Name }}-try", "test")}`,
};

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
    .map((line) => JSON.parse(line) as Event)
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
    for (const [path, text] of Object.entries(chart)) world.write(`app/${path}`, text);
    world.write("app/keelson.json", '{"project": "hooks"}');
    world.write("bin/.keep", "");
    symlinkSync(await helmPath(), join(world.home, "bin/helm"));
    const before = process.env["PATH"];
    process.env["PATH"] = path();
    onTestFinished(() => {
      process.env["PATH"] = before;
    });
  });

  it("in a Tiltfile come before the objects of that chart, and of no other", async () => {
    const text = "k8s_yaml(helm('chart', name='one'))\nk8s_yaml(helm('chart', name='two'))\n";
    world.write("app/Tiltfile", text);
    const all = await applySource("app/Tiltfile");
    expect(of("one", all)).toEqual(steps("one"));
    expect(of("two", all)).toEqual(steps("two"));
    expect((await keelson("plan", "app/Tiltfile")).stdout).toBe("4 unchanged\n");
  });

  it("in a program come before the objects of that chart, and of no other", async () => {
    world.write(
      "app/main.ts",
      'import { helm } from "keelson";\nhelm("chart", { name: "one" });\nhelm("chart", { name: "two" });\n',
    );
    const all = await applySource("app");
    expect(of("one", all)).toEqual(steps("one"));
    expect(of("two", all)).toEqual(steps("two"));
    expect((await keelson("plan", "app")).stdout).toBe("4 unchanged\n");
  });
});
