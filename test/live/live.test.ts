import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { groupDefinition } from "../../src/inventory/index.ts";
import { readObjectsFromText } from "../../src/objects/index.ts";
import { serveInMemory } from "../../src/sandbox/serve-sandbox.ts";
import type { Ran } from "../cli/run-keelson.ts";
import { type StartedKeelson, startKeelson } from "../cli/start-keelson.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { configMap, group, holdLease, LiveWorld } from "./live-world.ts";
import { bundleInputs } from "./bundle-inputs.ts";
import { historyScenarios } from "./history-scenarios.ts";
import { inputScenarios } from "./input-scenarios.ts";
import { liveScenarios } from "./live-scenarios.ts";
import { programScenarios } from "./program-scenarios.ts";
import { tiltfileScenarios } from "./tiltfile-scenarios.ts";

describe("live on the sandbox", () => {
  historyScenarios(() => undefined, "s");
  liveScenarios(() => undefined, "s");
  inputScenarios(() => undefined, "s");
  tiltfileScenarios(() => undefined, "s");
  programScenarios(() => undefined, "onsandbox");
  bundleInputs(() => undefined, "s");
});

describe("which group", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
  });
  afterEach(() => {
    world.remove();
  });

  const refusals: readonly (readonly [
    what: string,
    line: string,
    stdin: string,
    expected: readonly string[],
  ])[] = [
    ["none", "apply -", configMap("a"), ["live.no-group", "keelson live init"]],
    [
      "several in a stream",
      "apply -",
      group("one") + group("two", "two-id") + configMap("a"),
      [
        "live.several-groups",
        "default/one, id one-default, read from <stdin>",
        "default/two, id two-id, read from <stdin>",
      ],
    ],
    [
      "an id that is too long",
      "apply -",
      group("x".repeat(60)),
      ["live.invalid-group", "a label holds 63", "--name"],
    ],
    [
      "an id that is no label",
      "apply -",
      group("one", "'bad id!'"),
      ["live.invalid-group", '"bad id!" is no inventory id'],
    ],
    ["a name that is none", "apply -", group("Not_A_Name"), ["live.invalid-group", "RFC 1123"]],
    [
      "a namespace that is not there",
      "apply -",
      group("one", undefined, "nowhere"),
      ["live.namespace-missing", "kubectl create namespace nowhere"],
    ],
    [
      "a file that is not there",
      "apply --rg-file missing.yaml -",
      configMap("a"),
      ["objects.file-missing", "live init --rg-file missing.yaml"],
    ],
  ];
  it.each(refusals)("%s", async (_what, line, stdin, expected) => {
    const { code, stderr } = await world.live(line, stdin);
    expect(code).toBe(1);
    for (const text of expected) expect(stderr).toContain(text);
  });

  it.each(["apply --rg-file none.yaml -", "status --rg-file none.yaml"])(
    "a file without one: %s",
    async (line) => {
      world.write("none.yaml", configMap("none"));
      const { code, stderr } = await world.live(line, configMap("a"));
      expect(code).toBe(1);
      expect(stderr).toContain("error[live.no-group]: none.yaml holds no ResourceGroup");
    },
  );

  it.each(["apply", "status", "destroy"])("a file and a Kptfile that differ: %s", async (line) => {
    world.write("two/resourcegroup.yaml", group("one"));
    world.write("two/Kptfile", "kind: Kptfile\ninventory: {name: other, namespace: default}\n");
    const { code, stderr } = await world.live(`${line} two`);
    expect(code).toBe(1);
    expect(stderr).toContain("default/one, id one-default");
    expect(stderr).toContain("default/other, id other-default");
  });

  it.each(["apply", "plan", "status", "destroy", "migrate"])(
    "%s says what is wrong with a Kptfile",
    async (command) => {
      world.write("kpt/Kptfile", "kind: Kptfile\ninventory:\n  namespace: default\n");
      world.write("kpt/a.yaml", configMap("a"));
      const { code, stderr } = await world.live(`${command} kpt`);
      expect(code).toBe(1);
      expect(stderr).toContain("error[live.invalid-kptfile]");
      expect(stderr).toContain("> 2 | inventory:\n");
    },
  );

  it.each(["live apply", "live plan", "apply", "check"])("%s of a kustomization", async (line) => {
    world.write("k/keelson.json", '{"project": "k"}');
    world.write("k/kustomization.yaml", "resources: [map.yaml]\n");
    world.write("k/map.yaml", configMap("map"));
    const { code, stderr } = await world.keelson([...line.split(" "), "k"]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[objects.unrendered]: ");
    expect(stderr).toMatch(/hint: kubectl kustomize (?:\S*\/k|'.*\/k') \| keelson live apply -/);
  });

  it("a name that is several words for a shell is one in the command of a hint", async () => {
    const hintOf = async (...args: readonly string[]): Promise<string | undefined> =>
      /hint: (.*)/.exec((await world.keelson(["live", ...args], configMap("a"))).stderr)?.[1];
    expect(await hintOf("init", "no where")).toBe("mkdir -p 'no where'");
    expect(await hintOf("apply", "--rg-file", "my group.yaml", "-")).toBe(
      "make it with `keelson live init --rg-file 'my group.yaml'`",
    );
    expect(await hintOf("apply", "--plan", "my plan")).toBe(
      "make one with `keelson live plan --save 'my plan'`",
    );
    world.write("o'kay/kustomization.yaml", "resources: [map.yaml]\n");
    expect(await hintOf("apply", "o'kay")).toMatch(/^kubectl kustomize '.*\/o'\\''kay' \| keelson/);
  });

  it("init and migrate want a directory", async () => {
    world.write("file.yaml", configMap("a"));
    for (const command of ["init", "migrate"]) {
      expect(await world.live(`${command} file.yaml`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("error[live.not-a-package]: file.yaml is a file"),
      });
      expect(await world.live(`${command} nowhere`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("nowhere does not exist"),
      });
    }
    world.write("bare/readme.txt", "nothing to apply here");
    expect(await world.live("migrate bare")).toMatchObject({
      code: 0,
      stdout: "nothing to migrate: there is no Kptfile in bare\n",
    });
  });

  it.each(["bad id!", "a-", "ä"])("init refuses the inventory id %j", async (id) => {
    world.write("bare/readme.txt", "");
    const { code, stderr } = await world.keelson(["live", "init", "bare", "--inventory-id", id]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[live.invalid-group]: bare/resourcegroup.yaml: ");
    expect(() => world.read("bare/resourcegroup.yaml")).toThrow("ENOENT");
  });

  it.each(["", "Bad_Name", "x".repeat(64)])("a namespace that is none: %j", async (namespace) => {
    world.write("placed/resourcegroup.yaml", group("placed"));
    world.write("placed/a.yaml", configMap("placed").replace("  namespace: default\n", ""));
    expect((await world.live("apply placed")).code).toBe(0);
    const { code, stderr } = await world.keelson(["live", "apply", "placed", "-n", namespace]);
    expect(code).toBe(1);
    expect(stderr).toContain("is no name for a namespace");
    expect((await world.live("status placed")).stdout).toContain("ConfigMap default/placed");
  });

  it("a field manager that no server takes", async () => {
    for (const manager of ["", "x".repeat(129), "a\u0007b"]) {
      const { code, stderr } = await world.keelson(
        ["live", "apply", "--field-manager", manager, "-"],
        group("managed") + configMap("m"),
      );
      expect(code).toBe(1);
      expect(stderr).toContain("is no name for a field manager");
    }
  });

  it("other objects beside that of --rg-file are told to be ignored", async () => {
    world.write("rg.yaml", group("beside") + configMap("ignored"));
    const { code, stdout, stderr } = await world.live("apply --rg-file rg.yaml -", configMap("a"));
    expect(code).toBe(0);
    expect(stdout).toContain("1 created");
    expect(stderr).toContain("warning[live.ignored-objects]: ");
    expect(stderr).toContain("ConfigMap default/ignored");
    world.write("inside/rg.yaml", group("inside") + configMap("inside"));
    const inside = await world.live("apply --rg-file inside/rg.yaml inside");
    expect(inside.stdout).toContain("1 created");
    expect(inside.stderr).not.toContain("live.ignored-objects");
  });

  it("a stream and --rg-file together", async () => {
    world.write("rg.yaml", group("file"));
    const { stderr } = await world.live("apply --rg-file rg.yaml -", group("stream"));
    expect(stderr).toContain("live.several-groups");
  });

  it("init, then what it wrote is used", async () => {
    world.write("new/a.yaml", configMap("a"));
    expect((await world.live("init new")).stdout).toMatch(
      /^✓ new\/resourcegroup\.yaml: inventory default\/inventory-\d{8}\n$/,
    );
    expect(world.read("new/resourcegroup.yaml")).not.toContain("labels");
    const again = await world.live("init new");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("live.group-exists");
    expect(
      (await world.live("init new --force --name shop --namespace web --inventory-id 123 --quiet"))
        .stdout,
    ).toBe("");
    expect(world.read("new/resourcegroup.yaml")).toBe(
      'apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: shop\n  namespace: web\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: "123"\n',
    );
  });

  it("migrate moves the inventory of a Kptfile and keeps its comments", async () => {
    const kptfile =
      "# the package\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg # its name\ninventory:\n  name: old\n  namespace: default\n  inventoryID: abc-123\ninfo:\n  description: kept\n";
    world.write("kpt/Kptfile", kptfile);
    world.write("kpt/a.yaml", configMap("k"));
    world.write("Kptfile", kptfile);
    expect((await world.live("apply -", configMap("k"))).stderr).toContain("keelson live migrate");
    expect((await world.live("init kpt")).stderr).toContain("keelson live migrate");
    expect((await world.live("apply kpt")).code).toBe(0);
    expect((await world.live("migrate kpt --dry-run")).stdout).toContain(
      "would write kpt/resourcegroup.yaml",
    );
    for (const killed of [false, true]) {
      // A run that is killed after its first write leaves both; the next one ends what it began.
      if (killed) world.write("kpt/Kptfile", kptfile);
      expect((await world.live("migrate kpt")).stdout).toBe(
        "✓ kpt/resourcegroup.yaml: inventory default/old, id abc-123\n",
      );
    }
    expect(world.read("kpt/Kptfile")).toBe(
      "# the package\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg # its name\ninfo:\n  description: kept\n",
    );
    expect((await world.live("apply kpt")).stdout).toContain("1 unchanged\n");
    const second = await world.live("migrate kpt");
    expect(second).toMatchObject({
      code: 0,
      stdout: "nothing to migrate: the Kptfile has no inventory\n",
    });
  });

  it("a Kptfile in a stream is told to migrate, too", async () => {
    const kptfile =
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\ninventory:\n  name: old\n  namespace: web\n  inventoryID: abc\n---\n";
    const { code, stderr } = await world.live("apply -", kptfile + configMap("k"));
    expect(code).toBe(1);
    expect(stderr).toContain("error[live.kptfile-inventory]");
    expect(stderr).toContain("the inventory web/old is in the Kptfile");
    expect(stderr).toContain("keelson live migrate");
  });

  it("migrate takes another name, and replaces a file on request", async () => {
    const kptfile =
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\ninventory:\n  name: old\n  namespace: default\n  inventoryID: abc-123\n  labels: {team: shop}\n";
    world.write("kpt/Kptfile", kptfile);
    world.write("kpt/a.yaml", configMap("k"));
    expect((await world.live("apply kpt")).code).toBe(0);
    world.write("rg.yaml", group("somebody"));
    const refused = await world.live("migrate kpt --rg-file rg.yaml --name shop");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--force");
    expect((await world.live("migrate kpt --rg-file rg.yaml --name shop --force")).stdout).toBe(
      "✓ rg.yaml: inventory default/shop, id abc-123\n",
    );
    const groups = await world.look((cluster) =>
      cluster.list({ apiVersion: "kpt.dev/v1alpha1", kind: "ResourceGroup" }, {}),
    );
    expect(groups.items).toMatchObject([
      {
        metadata: { name: "shop", labels: { team: "shop" } },
        spec: { resources: [{ name: "k" }] },
      },
    ]);
    expect((await world.live("apply kpt --rg-file rg.yaml")).stdout).toContain("1 unchanged\n");
  });

  it("says in its status how each object is, unless --status-policy none", async () => {
    const live = (): Promise<KubernetesObject | undefined> =>
      world.look((cluster) =>
        cluster.find({
          apiVersion: "kpt.dev/v1alpha1",
          kind: "ResourceGroup",
          namespace: "default",
          name: "quiet",
        }),
      );
    const input = group("quiet") + configMap("quiet");
    expect((await world.live("apply --status-policy none -", input)).code).toBe(0);
    expect(await live()).toMatchObject({ spec: { resources: [{ name: "quiet" }] } });
    expect(await live()).not.toHaveProperty("status");
    await world.live("apply --status-policy none -", input);
    expect(await live()).not.toHaveProperty("status");
    await world.live("apply -", input);
    expect((await live())?.["status"]).toMatchObject({
      resourceStatuses: [{ name: "quiet", actuation: "Succeeded" }],
    });
    expect((await world.live("destroy --status-policy none -", input)).code).toBe(0);
  });

  it("the group as the cluster prints it is accepted", async () => {
    const printed = `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: printed\n  namespace: default\n  uid: 11111111-1111-1111-1111-111111111111\n  resourceVersion: "5"\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: printed-id\nspec:\n  resources: []\nstatus:\n  observedGeneration: 3\n---\n`;
    expect((await world.live("apply -", printed + configMap("p"))).code).toBe(0);
  });
});

describe("a user who may do little", () => {
  it("is told which kinds a recovery could not look at", async () => {
    const served = await serveInMemory();
    try {
      const world = new LiveWorld();
      const limited = served.kubeconfig.replace(/^( +)user:\n( +)/m, "$1user:\n$2as: somebody\n$2");
      world.write("limited", limited);
      world.write("rg.yaml", group("little"));
      const { code, stderr } = await world.live(
        "recover --rg-file rg.yaml --dry-run --kubeconfig {home}/limited",
      );
      expect(code).toBe(0);
      expect(stderr).toContain("warning[live.recover-incomplete]");
      expect(stderr).toMatch(/ConfigMap, /);
      world.remove();
    } finally {
      await served.close();
    }
  });
});

describe("a user who may not look at definitions", () => {
  it("recovers and migrates where the kind is installed", async () => {
    const served = await serveInMemory();
    const world = new LiveWorld();
    try {
      const impersonated = /^( +)user:\n( +)/m;
      const limited = served.kubeconfig.replace(impersonated, "$1user:\n$2as: somebody\n$2");
      world.write("limited", limited);
      const rights =
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: some}\nrules:\n" +
        '- {apiGroups: [""], resources: [configmaps], verbs: ["*"]}\n' +
        '- {apiGroups: [kpt.dev], resources: ["*"], verbs: ["*"]}\n' +
        '- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: ["*"]}\n---\n' +
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: some}\n" +
        "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: some}\n" +
        "subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: somebody}]\n---\n";
      const old =
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old\n  namespace: default\n  labels: {cli-utils.sigs.k8s.io/inventory-id: old-id}\n";
      const moved = `${old.replace("name: old", "name: old-1")}data: {default_a__ConfigMap: ""}\n---\n`;
      const lost = configMap("lost", {}, { "config.k8s.io/owning-inventory": "little-default" });
      world.write("pkg/inventory-template.yaml", old);
      world.write("rg.yaml", group("little"));
      const admin = new LiveWorld(world.write("admin", served.kubeconfig));
      const create = (text: string): Promise<void> =>
        admin.look(async (cluster) => {
          for (const { object } of readObjectsFromText("input", text).objects)
            await cluster.create(object);
        });
      await create(rights + moved + lost);
      const run = (line: string): Promise<Ran> => world.live(`${line} --kubeconfig {home}/limited`);
      // Where it is not installed, that is what is said.
      expect((await run("recover --rg-file rg.yaml")).stderr).toContain(
        "customresourcedefinitions",
      );
      await create(JSON.stringify(groupDefinition));
      expect((await run("recover --rg-file rg.yaml")).stdout).toContain(
        "1 objects name the inventory little-default, 1 added",
      );
      expect((await run("migrate pkg")).stdout).toContain("id old-id, 1 objects");
      admin.remove();
    } finally {
      world.remove();
      await served.close();
    }
  });
});

describe("Ctrl-C", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
  });
  afterEach(() => {
    world.remove();
  });
  const start = (line: string): StartedKeelson =>
    startKeelson(["live", ...line.split(" ")], { HOME: world.home, KUBECONFIG: "" }, world.home);

  it("ends a run that still reads its input", async () => {
    const run = start("apply -");
    await new Promise<void>((resolve) => {
      run.child.stderr?.on("data", () => {
        if (run.errors().includes("using the sandbox")) resolve();
      });
    });
    run.child.kill("SIGINT");
    expect(await run.exited).toBe(130);
    expect(run.errors()).not.toContain("error");
  });

  it.each([
    ["events", /✗ Pod default\/slow-events interrupted before it was ready: /],
    ["table", /^Pod default\/slow-table +created +interrupted +interrupted before it was ready: /m],
  ])("is no timeout of what is waited for: %s", async (output, expected) => {
    world.write("slow/resourcegroup.yaml", group(`slow-${output}`));
    world.write(
      "slow/a.yaml",
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: slow-${output}\n  namespace: default\n  annotations: {sandbox.keelson.dev/trouble: never-ready}\nspec: {containers: [{name: c, image: nginx}]}\n`,
    );
    const run = start(`apply slow --reconcile-timeout 1h --output ${output}`);
    let text = "";
    for (const stream of [run.child.stdout, run.child.stderr])
      stream?.on("data", (chunk) => {
        const isNew = !text.includes("waiting for Pod");
        text += String(chunk);
        if (isNew && text.includes("waiting for Pod")) run.child.kill("SIGINT");
      });
    expect(await run.exited).toBe(130);
    while ((await run.nextLine()) !== undefined);
    expect(text).toMatch(expected);
    expect(text).not.toContain("timed out");
  });

  it.each(["apply", "destroy"])("ends a run that waits for another: %s", async (command) => {
    world.write("pkg/resourcegroup.yaml", group("waits"));
    world.write("pkg/a.yaml", configMap("waits"));
    await world.live("apply pkg");
    world.write("pkg/a.yaml", configMap("waits-too"));
    await world.look((cluster) => holdLease(cluster, "waits", "somebody"));
    const run = start(`${command} pkg`);
    expect(await run.nextLine()).toContain("waiting for somebody");
    run.child.kill("SIGINT");
    expect(await run.exited).toBe(130);
    expect(run.errors()).not.toContain("error");
  });
});

describe("input that a server would refuse", () => {
  let world: LiveWorld;
  beforeEach(() => {
    world = new LiveWorld();
  });
  afterEach(() => {
    world.remove();
  });

  it("is reported as a whole before anything is written", async () => {
    const bad = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not_A_Name\n  namespace: default\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: default\nspec:\n  replicas: many\n---\n`;
    const { code, stderr } = await world.live(
      "apply -",
      group("refused") + configMap("fine") + bad,
    );
    expect(code).toBe(1);
    expect(stderr).toContain("schema.invalid-object");
    expect(stderr).toContain("schema.unreadable-object");
    expect(stderr).toContain("<stdin>:");
    const written = await world.look(async (cluster) => [
      await cluster.find({
        apiVersion: "v1",
        kind: "ConfigMap",
        namespace: "default",
        name: "fine",
      }),
      await cluster.find({
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        namespace: "default",
        name: "refused",
      }),
      await cluster.find({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: "resourcegroups.kpt.dev",
      }),
    ]);
    expect(written).toEqual([undefined, undefined, undefined]);
  });
});
