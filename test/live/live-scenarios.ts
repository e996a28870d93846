import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { configMap, group, holdLease, LiveWorld } from "./live-world.ts";

const owner = "config.k8s.io/owning-inventory";

/** The scenarios of live apply; they hold on the sandbox and on any real cluster. */
export function liveScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let world: LiveWorld;
  const name = (base: string): string => `${base}-${unique}`;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
  });
  afterEach(() => {
    world.remove();
  });

  const inventory = (groupName: string): Promise<string[] | undefined> =>
    world.look(async (cluster) => {
      const found = await cluster.find({
        apiVersion: "kpt.dev/v1alpha1",
        kind: "ResourceGroup",
        namespace: "default",
        name: groupName,
      });
      const { resources = [] } = (found?.["spec"] ?? {}) as {
        resources?: { kind: string; name: string }[];
      };
      return found === undefined
        ? undefined
        : resources.map((each) => `${each.kind} ${each.name}`).sort();
    });
  const find = (kind: string, objectName: string): Promise<KubernetesObject | undefined> =>
    world.look((cluster) =>
      cluster.find({ apiVersion: "v1", kind, namespace: "default", name: objectName }),
    );

  describe("apply", () => {
    it("creates, leaves, changes, prunes and destroys", async () => {
      const [one, two, shop] = [name("one"), name("two"), name("shop")];
      world.write("pkg/resourcegroup.yaml", group(shop));
      world.write("pkg/a.yaml", configMap(one, { a: "1" }) + configMap(two));
      const first = await world.live("apply pkg");
      expect(first.stdout).toContain("2 created\n");
      expect(first.code).toBe(0);
      expect(await inventory(shop)).toEqual([`ConfigMap ${one}`, `ConfigMap ${two}`]);
      expect((await find("ConfigMap", one))?.["metadata"]).toMatchObject({
        annotations: { [owner]: `${shop}-default` },
      });

      const versions = (): Promise<unknown[]> =>
        Promise.all(
          [one, two].map(async (each) => (await find("ConfigMap", each))?.metadata.resourceVersion),
        );
      const before = await versions();
      expect((await world.live("apply pkg")).stdout).toContain("2 unchanged\n");
      expect(await versions()).toEqual(before);

      world.write("pkg/a.yaml", configMap(one, { a: "2" }));
      expect((await world.live("apply pkg")).stdout).toContain("1 configured, 1 pruned\n");
      expect(await find("ConfigMap", two)).toBeUndefined();
      expect(await inventory(shop)).toEqual([`ConfigMap ${one}`]);

      expect((await world.live("destroy pkg")).stdout).toContain("1 deleted\n");
      expect(await find("ConfigMap", one)).toBeUndefined();
      expect(await inventory(shop)).toBeUndefined();
      expect((await world.live("destroy pkg")).code).toBe(0);
    });

    it("takes a stream with its group in it, or in a file", async () => {
      const [map, shop] = [name("streamed"), name("stream")];
      expect((await world.live("apply -", group(shop) + configMap(map))).code).toBe(0);
      world.write("rg.yaml", group(shop));
      expect((await world.live("apply --rg-file rg.yaml -", configMap(map))).stdout).toContain(
        "1 unchanged\n",
      );
      expect((await world.live("destroy --rg-file rg.yaml")).code).toBe(0);
    });

    it("puts labels and annotations of its ResourceGroup on the one in the cluster, and says which generation it saw", async () => {
      const [map, shop] = [name("labelled-map"), name("labelled")];
      const labelled = (metadata: string): string =>
        `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: ${shop}\n  namespace: default\n${metadata}---\n`;
      const both = labelled("  labels: {team: shop}\n  annotations: {note: first}\n");
      const live = (): Promise<KubernetesObject | undefined> =>
        world.look((cluster) =>
          cluster.find({
            apiVersion: "kpt.dev/v1alpha1",
            kind: "ResourceGroup",
            namespace: "default",
            name: shop,
          }),
        );
      await world.live("apply -", both + configMap(map));
      const first = await live();
      expect(first?.metadata.labels).toMatchObject({ team: "shop" });
      expect(first?.metadata.annotations).toMatchObject({ note: "first" });
      expect(first?.status).toMatchObject({ observedGeneration: first?.metadata.generation });

      // What others add stays, and a second apply writes nothing.
      const theirs = { metadata: { labels: { theirs: "1" } } };
      await world.look((cluster) =>
        cluster.patch(
          {
            apiVersion: "kpt.dev/v1alpha1",
            kind: "ResourceGroup",
            namespace: "default",
            name: shop,
          },
          "merge",
          theirs,
          { fieldManager: "somebody" },
        ),
      );
      const before = (await live())?.metadata.resourceVersion;
      await world.live("apply -", both + configMap(map));
      expect((await live())?.metadata.resourceVersion).toBe(before);

      await world.live("apply -", labelled("  labels: {team: store}\n") + configMap(map));
      const { labels, annotations } = (await live())?.metadata ?? {};
      expect(labels).toMatchObject({ team: "store", theirs: "1" });
      expect(annotations ?? {}).not.toHaveProperty("note");
      await world.live("destroy -", group(shop));
    });

    it("writes nothing at all on a dry run", async () => {
      const [map, shop] = [name("dry"), name("dry-group")];
      const { code, stdout } = await world.live(
        "apply --dry-run --output events-json -",
        group(shop) + configMap(map),
      );
      expect(code).toBe(0);
      expect(stdout).toContain('"status":"create"');
      expect(stdout).toContain('"plan":{"create":1}');
      expect(await find("ConfigMap", map)).toBeUndefined();
      expect(
        await world.look((cluster) =>
          cluster.find({
            apiVersion: "coordination.k8s.io/v1",
            kind: "Lease",
            namespace: "default",
            name: shop,
          }),
        ),
      ).toBeUndefined();
    });

    it("drops what is for local use only", async () => {
      const [map, shop] = [name("local"), name("local-group")];
      const stream =
        group(shop) + configMap(map, {}, { "config.kubernetes.io/local-config": "true" });
      expect((await world.live("apply -", stream)).stdout).toContain("nothing to do\n");
      expect(await find("ConfigMap", map)).toBeUndefined();
    });

    it("keeps what asks to be kept, and lets it go", async () => {
      const [map, shop] = [name("kept"), name("keep-group")];
      await world.live(
        "apply -",
        group(shop) + configMap(map, {}, { "client.lifecycle.config.k8s.io/deletion": "detach" }),
      );
      const { code, stdout } = await world.live("apply -", group(shop));
      expect(code).toBe(0);
      expect(stdout).toContain(`ConfigMap default/${map} kept: its annotation asks to keep it`);
      const live = await find("ConfigMap", map);
      expect(live?.metadata.annotations?.[owner]).toBeUndefined();
      expect(await inventory(shop)).toEqual([]);
      await world.look((cluster) =>
        cluster.delete({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: map }),
      );
    });

    it("waits for depends-on, and explains a cycle edge by edge", async () => {
      const [a, b, shop] = [name("a"), name("b"), name("cycle")];
      const on = (target: string): Record<string, string> => ({
        "config.kubernetes.io/depends-on": `/namespaces/default/ConfigMap/${target}`,
      });
      const cyclic = await world.live(
        "apply -",
        group(shop) + configMap(a, {}, on(b)) + configMap(b, {}, on(a)),
      );
      expect(cyclic.code).toBe(1);
      expect(cyclic.stderr).toContain("live.cycle");
      expect(cyclic.stderr).toContain(
        `ConfigMap default/${a} waits for ConfigMap default/${b}: its annotation depends-on names it`,
      );
      const missing = await world.live(
        "apply -",
        group(shop) +
          configMap(a, {}, on(name("nowhere"))) +
          configMap(b, {}, { "config.kubernetes.io/depends-on": "nonsense" }),
      );
      expect(missing.code).toBe(1);
      expect(missing.stderr.match(/live\.invalid-dependency/g)).toHaveLength(2);
      expect(await find("ConfigMap", a)).toBeUndefined();
      const { code, stdout } = await world.live(
        "apply -",
        group(shop) + configMap(a, {}, on(b)) + configMap(b),
      );
      expect(code).toBe(0);
      expect(stdout.indexOf(`/${b} created`)).toBeLessThan(stdout.indexOf(`/${a} created`));
      expect((await world.live("destroy -", group(shop))).stdout).toMatch(
        new RegExp(`/${a} deleted[\\s\\S]*/${b} deleted`),
      );
    });

    it("fills fields in from other objects", async () => {
      const [source, target, shop] = [name("source"), name("target"), name("mutation")];
      const mutation = `- sourceRef:\n    kind: ConfigMap\n    name: ${source}\n  sourcePath: $.data.host\n  targetPath: $.data.url\n  token: \${host}\n`;
      const stream =
        group(shop) +
        configMap(source, { host: "db" }) +
        configMap(
          target,
          { url: "postgres://${host}/x" },
          { "config.kubernetes.io/apply-time-mutation": mutation },
        );
      expect((await world.live("apply -", stream)).code).toBe(0);
      expect((await find("ConfigMap", target))?.["data"]).toEqual({ url: "postgres://db/x" });
      expect((await world.live("plan -", stream)).stdout).toBe("2 unchanged\n");
      expect((await world.live("apply -", stream)).stdout).toContain("2 unchanged\n");
      const elsewhere = stream.replace("/x", "/y");
      expect((await world.live("plan -", elsewhere)).stdout).toBe(
        `~ ConfigMap default/${target}\n      .data.url: "postgres://db/x" → "postgres://db/y"\n1 to update, 1 unchanged\n`,
      );
      const moved = await world.live("plan -", stream.replace('"db"', '"cache"'));
      expect(moved.stdout).toContain('.data.url: "postgres://db/x" → (known after apply)\n');
      const patterns = stream.replace('"db"', () => '"$&$$"');
      expect((await world.live("apply -", patterns)).code).toBe(0);
      expect((await find("ConfigMap", target))?.["data"]).toEqual({ url: "postgres://$&$$/x" });
      const wrong = stream.replace("$.data.url", "$.data.nowhere");
      const failed = await world.live("apply -", wrong);
      expect(failed.code).toBe(3);
      expect(failed.stdout).toContain("targetPath $.data.nowhere hits 0 fields, not one");
      await world.live("destroy -", group(shop));
    });

    it("fills them in as the other object became, not as it was written", async () => {
      const [source, target, shop] = [name("ip-source"), name("ip-target"), name("ip-group")];
      const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: ${source}, namespace: default}\nspec:\n  terminationGracePeriodSeconds: 0\n  containers: [{name: c, image: nginx}]\n---\n`;
      const mutation = `- sourceRef: {kind: Pod, name: ${source}}\n  sourcePath: $.status.podIP\n  targetPath: $.data.ip\n`;
      const stream =
        group(shop) +
        pod +
        configMap(target, { ip: "" }, { "config.kubernetes.io/apply-time-mutation": mutation });
      const { code, stdout } = await world.live("apply -", stream);
      expect(stdout).toContain("2 created");
      expect(code).toBe(0);
      const found = await find("ConfigMap", target);
      expect(found?.["data"]).toEqual({ ip: expect.stringMatching(/^\d+(?:\.\d+){3}$/) });
      await world.live("destroy -", group(shop));
    });
  });

  it("mutations show nothing of the Secrets that they take from", async () => {
    const [source, target, shop] = [name("secret-source"), name("filled"), name("filled-group")];
    const value = Buffer.from(`swordfish-${unique}`).toString("base64");
    const stream = (url: string, targetPath = "$.data.url"): string =>
      `${group(shop)}apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${source}\n  namespace: default\ndata:\n  password: ${value}\n---\n` +
      configMap(
        target,
        { url },
        {
          "config.kubernetes.io/apply-time-mutation": `- sourceRef: {kind: Secret, name: ${source}}\n  sourcePath: $.data.password\n  targetPath: ${targetPath}\n${targetPath === "$.data" ? "" : "  token: PASSWORD\n"}`,
        },
      );
    expect((await world.live("apply -", stream("a:PASSWORD@db"))).code).toBe(0);
    expect((await find("ConfigMap", target))?.["data"]).toEqual({ url: `a:${value}@db` });
    const planned = await world.live("plan -", stream("b:PASSWORD@db"));
    expect(planned.stdout).toContain('.data.url: "*** (before)" → "*** (after)"\n');
    const removed = configMap(target, { url: "none" });
    for (const input of [stream("b:PASSWORD@db"), `${group(shop)}${removed}`])
      for (const output of ["text", "json"])
        expect((await world.live(`plan --output ${output} -`, input)).stdout).not.toContain(value);
    for (const command of ["plan", "apply"]) {
      const refused = await world.live(`${command} -`, stream("PASSWORD", "$.data"));
      expect(refused.code).toBe(3);
      expect(refused.stdout + refused.stderr).toContain("***");
      expect(refused.stdout + refused.stderr).not.toContain(value);
    }
    await world.live("destroy -", group(shop));
  });

  it("mutations wait for sources without namespaces, and for none that cannot come", async () => {
    const [role, target, shop] = [name("role-source"), name("role-target"), name("role-group")];
    const taking = (kind: string): string =>
      configMap(
        target,
        { uid: "" },
        {
          "config.kubernetes.io/apply-time-mutation": `- sourceRef: {group: rbac.authorization.k8s.io, kind: ${kind}, name: ${role}}\n  sourcePath: $.metadata.uid\n  targetPath: $.data.uid\n`,
        },
      );
    const source = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: ${role}\nrules: []\n---\n`;
    const absent = await world.live("apply -", group(shop) + source + taking("Role"));
    expect(absent.code).toBe(1);
    expect(absent.stderr).toContain(
      `takes $.metadata.uid from Role.rbac.authorization.k8s.io default/${role}, which is neither in the input nor in the cluster`,
    );
    expect(await find("ConfigMap", target)).toBeUndefined();
    const stream = group(shop) + taking("ClusterRole") + source;
    expect((await world.live("apply -", stream)).code).toBe(0);
    expect((await find("ConfigMap", target))?.["data"]).toEqual({
      uid: expect.stringMatching(/^[-0-9a-f]{36}$/),
    });
    expect((await world.live("plan -", stream)).stdout).toBe("2 unchanged\n");
    const going = await world.live("apply -", group(shop) + taking("ClusterRole"));
    expect(going.stderr).toContain("which this run prunes");
    await world.live("destroy -", group(shop));
  });

  it("mutations name keys with dots in quotes", async () => {
    const [source, target, shop] = [name("dotted"), name("dotted-target"), name("dotted-group")];
    const mutation = `- sourceRef: {kind: ConfigMap, name: ${source}}\n  sourcePath: $.data['tls.crt']\n  targetPath: $.data["ca.pem"]\n`;
    const stream =
      group(shop) +
      configMap(source, { "tls.crt": "certificate" }) +
      configMap(target, { "ca.pem": "" }, { "config.kubernetes.io/apply-time-mutation": mutation });
    expect((await world.live("apply -", stream)).code).toBe(0);
    expect((await find("ConfigMap", target))?.["data"]).toEqual({ "ca.pem": "certificate" });
    await world.live("destroy -", group(shop));
  });

  describe("ownership", () => {
    it("takes what Kubernetes makes in a namespace of the same run", async () => {
      const [space, shop] = [name("fresh"), name("fresh-group")];
      const input = `${group(shop)}apiVersion: v1
kind: Namespace
metadata: { name: ${space} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: default, namespace: ${space}, labels: { team: a } }
---
`;
      const { code, stdout } = await world.live("apply -", input);
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect((await world.live("plan -", input)).stdout).toBe("2 unchanged\n");
      world.write("rg.yaml", group(shop));
      expect((await world.live("destroy --rg-file rg.yaml")).code).toBe(0);
    });

    it("refuses what belongs to nobody or to others, unless told to take it", async () => {
      const [map, mine, yours] = [name("owned"), name("mine"), name("yours")];
      await world.look((cluster) =>
        cluster.create({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: map, namespace: "default" },
        }),
      );
      const strict = await world.live("apply -", group(mine) + configMap(map, { a: "1" }));
      expect(strict.code).toBe(2);
      for (const command of ["plan", "apply --dry-run", "apply --dry-run --output table"]) {
        const shown = await world.live(`${command} -`, group(mine) + configMap(map, { a: "1" }));
        expect(shown.code).toBe(2);
        expect(shown.stdout).toMatch(/^1 skipped$/m);
      }
      expect(strict.stdout).toContain("belongs to no inventory; --inventory-policy=adopt takes it");
      expect(await inventory(mine)).toEqual([]);
      expect(
        (await world.live("apply --allow-skips -", group(mine) + configMap(map, { a: "1" }))).code,
      ).toBe(0);
      expect(
        (
          await world.live(
            "apply --inventory-policy adopt -",
            group(mine) + configMap(map, { a: "1" }),
          )
        ).code,
      ).toBe(0);
      const others = await world.live(
        "apply --inventory-policy adopt -",
        group(yours) + configMap(map, { a: "2" }),
      );
      expect(others.code).toBe(2);
      expect(others.stdout).toContain(
        `it belongs to the inventory ${mine}-default; --inventory-policy=force-adopt takes it from there`,
      );
      expect(
        (
          await world.live(
            "apply --inventory-policy force-adopt -",
            group(yours) + configMap(map, { a: "2" }),
          )
        ).code,
      ).toBe(0);
      expect((await find("ConfigMap", map))?.["data"]).toEqual({ a: "2" });
      const dry = await world.live("destroy --dry-run --output events-json -", group(mine));
      expect(dry.code).toBe(2);
      expect(dry.stdout).toContain('"plan":{"skip":1}');
      // What another inventory took is not ours to prune.
      const pruned = await world.live("apply -", group(mine));
      expect(pruned.code).toBe(2);
      expect(await find("ConfigMap", map)).toBeDefined();
      await world.live("destroy -", group(yours));
    });

    it("compares ids, and overrides once", async () => {
      const [map, shop] = [name("id"), name("id-group")];
      await world.live("apply -", group(shop, "first-id") + configMap(map));
      const other = await world.live("apply -", group(shop) + configMap(map));
      expect(other.code).toBe(1);
      expect(other.stderr).toContain("live.id-mismatch");
      expect(other.stderr).toContain("first-id");
      expect(other.stderr).toContain(`${shop}-default`);
      expect(
        (await world.live("apply --inventory-policy adopt -", group(shop) + configMap(map))).code,
      ).toBe(0);
      expect((await find("ConfigMap", map))?.["metadata"]).toMatchObject({
        annotations: { [owner]: `${shop}-default` },
      });
      expect((await world.live("apply -", group(shop) + configMap(map))).stdout).toContain(
        "1 unchanged\n",
      );
      await world.live("destroy -", group(shop));
    });

    it("reports conflicts with field, manager and the way out", async () => {
      const [map, shop] = [name("conflict"), name("conflict-group")];
      await world.live("apply -", group(shop) + configMap(map, { a: "1" }));
      await world.look((cluster) =>
        cluster.apply(
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: map, namespace: "default" },
            data: { a: "theirs" },
          },
          { fieldManager: "other", force: true },
        ),
      );
      const { code, stdout } = await world.live(
        "apply -",
        group(shop) + configMap(map, { a: "2" }),
      );
      expect(code).toBe(3);
      const planned = await world.live("plan -", group(shop) + configMap(map, { a: "2" }));
      expect(planned).toMatchObject({
        code: 3,
        stdout: expect.stringContaining("--force-conflicts takes the fields over"),
      });
      expect(stdout).toMatch(/\.data\.a/);
      expect(stdout).toContain("other");
      expect(stdout).toContain("--force-conflicts");
      expect(
        (await world.live("apply --force-conflicts -", group(shop) + configMap(map, { a: "2" })))
          .code,
      ).toBe(0);
      await world.live("destroy -", group(shop));
    });

    it("takes over what client-side kubectl left, and plans what goes with that", async () => {
      const [map, shop] = [name("client-side"), name("client-side-group")];
      await world.look((cluster) =>
        cluster.create(
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: map, namespace: "default" },
            data: { stays: "1", goes: "2" },
          },
          { fieldManager: "kubectl-client-side-apply" },
        ),
      );
      const input = group(shop) + configMap(map, { stays: "1" });
      const planned = await world.live("plan --inventory-policy adopt -", input);
      expect(planned.stdout).toContain('    - .data.goes: "2"\n');
      await world.live("apply --inventory-policy adopt -", input);
      expect((await find("ConfigMap", map))?.["data"]).toEqual({ stays: "1" });
      await world.live("destroy -", group(shop));
    });

    it("says whom it waits for while another run has the inventory", async () => {
      const [map, shop] = [name("locked"), name("locked-group")];
      await world.live("apply -", group(shop) + configMap(map));
      await world.look((cluster) => holdLease(cluster, shop, "somebody"));
      const waited = [
        await world.live("apply --reconcile-timeout 1s -", group(shop)),
        await world.live("destroy --delete-timeout 1s -", group(shop)),
      ];
      for (const { code, stdout, stderr } of waited) {
        expect(code).toBe(1);
        expect(stdout).toContain("waiting for somebody, which changes this inventory\n");
        expect(stderr).toContain("somebody");
      }
      expect(await find("ConfigMap", map)).toBeDefined();
      await world.look((cluster) =>
        cluster.delete({
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          namespace: "default",
          name: shop,
        }),
      );
      await world.live("destroy -", group(shop));
    });

    it("rebuilds a lost group from the annotations", async () => {
      const [map, shop] = [name("lost"), name("lost-group")];
      await world.live("apply -", group(shop) + configMap(map));
      await world.look((cluster) =>
        cluster.delete({
          apiVersion: "kpt.dev/v1alpha1",
          kind: "ResourceGroup",
          namespace: "default",
          name: shop,
        }),
      );
      world.write("rg.yaml", group(shop));
      const status = await world.live("status --rg-file rg.yaml");
      expect(status.stderr).toContain("warning[live.unlisted-objects]");
      expect(status.stderr).toContain(`ConfigMap default/${map}`);
      const planned = await world.live("recover --rg-file rg.yaml --dry-run --output json");
      const lines = planned.stdout.trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        {
          timestamp: expect.any(String),
          type: "recover",
          object: { group: "", kind: "ConfigMap", namespace: "default", name: map },
        },
        { timestamp: expect.any(String), type: "summary", counts: { found: 1, added: 1 } },
      ]);
      expect(await inventory(shop)).toBeUndefined();
      expect((await world.live("recover --rg-file rg.yaml")).stdout).toContain(
        `+ ConfigMap default/${map}\n`,
      );
      expect((await world.live("recover --rg-file rg.yaml --dry-run")).stdout).toContain(
        "0 would be added",
      );
      expect((await world.live("status --rg-file rg.yaml")).stderr).not.toContain("unlisted");
      expect(await inventory(shop)).toEqual([`ConfigMap ${map}`]);
      await world.live("destroy --rg-file rg.yaml");
      expect(await find("ConfigMap", map)).toBeUndefined();
    });
  });

  describe("kpt's command line", () => {
    it("installs the kind of inventories by itself, as often as one likes", async () => {
      for (let round = 0; round < 2; round++)
        expect(await world.live("install-resource-group")).toMatchObject({
          code: 0,
          stdout: "the kind ResourceGroup is installed\n",
        });
    });

    it("shows every change of status while it destroys", async () => {
      const shop = name("shown-group");
      world.write("rg.yaml", group(shop));
      const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name("shown")}, namespace: default }\n---\n`;
      await world.live("apply -", group(shop) + map);
      const { code, stdout } = await world.live("destroy --rg-file rg.yaml --show-status-events");
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("deleted"),
      });
    });
  });

  describe("plan and status", () => {
    it("shows fields that change, without the values of Secrets", async () => {
      const [secret, shop] = [name("secret"), name("plan-group")];
      const text = (value: string): string =>
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${secret}\n  namespace: default\n  labels:\n    v: ${value}\nstringData:\n  password: ${value}-hunter\n---\n`;
      await world.live("apply -", group(shop) + text("one"));
      expect((await world.live("plan -", group(shop) + text("one"))).stdout).toBe("1 unchanged\n");
      const { stdout } = await world.live("plan -", group(shop) + text("two"));
      expect(stdout).toContain(`~ Secret default/${secret}`);
      expect(stdout).toContain('.metadata.labels.v: "one" → "two"');
      expect(stdout).toContain(".data.password");
      expect(stdout).not.toContain(Buffer.from("two-hunter").toString("base64"));
      expect(stdout).not.toContain("hunter");
      expect((await world.live("plan --output json -", group(shop))).stdout).toContain(
        '"status":"prune"',
      );
      world.write("rg.yaml", group(shop));
      expect((await world.live("status --rg-file rg.yaml --output table")).stdout).toBe(
        [
          `${"OBJECT".padEnd(`Secret default/${secret}`.length)}  STATUS   MESSAGE\n`,
          `Secret default/${secret}  Current  Secret is always ready\n`,
        ].join(""),
      );
      await world.live("destroy --rg-file rg.yaml");
      expect((await world.live("status --rg-file rg.yaml")).stdout).toContain("owns nothing");
      const empty = await world.live("status --rg-file rg.yaml --output events-json");
      expect(JSON.parse(empty.stdout)).toMatchObject({
        timestamp: expect.any(String),
        type: "summary",
        counts: { apply: { unchanged: 0 } },
      });
    });
  });
}
