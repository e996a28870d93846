import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { configMap, group, LiveWorld } from "./live-world.ts";

const idLabel = "cli-utils.sigs.k8s.io/inventory-id";

/** What becomes of invalid input, saved plans and old inventories; on the sandbox and on any cluster. */
export function inputScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let world: LiveWorld;
  const name = (base: string): string => `${base}-${unique}`;
  beforeEach(() => {
    world = new LiveWorld(kubeconfig());
  });
  afterEach(() => {
    world.remove();
  });
  const find = (kind: string, objectName: string): Promise<KubernetesObject | undefined> =>
    world.look((cluster) =>
      cluster.find({ apiVersion: "v1", kind, namespace: "default", name: objectName }),
    );
  const events = (stdout: string): readonly Readonly<Record<string, unknown>>[] =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  describe("invalid input", () => {
    const broken = (objectName: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${objectName}\n  namespace: default\nspec:\n  ports:\n  - port: 99999\n---\n`;

    it("ends the run before anything is written, at the field, and as events", async () => {
      const [map, service, shop] = [name("valid"), name("broken"), name("invalid-group")];
      const input = group(shop) + configMap(map) + broken(service);
      const { code, stderr } = await world.live("apply -", input);
      expect(code).toBe(1);
      expect(stderr).toContain("error[schema.invalid-object]");
      expect(stderr).toMatch(/> \d+ \| {3}- port: 99999/);
      expect(await find("ConfigMap", map)).toBeUndefined();
      const [first] = events((await world.live("apply --output events-json -", input)).stdout);
      expect(first).toMatchObject({
        timestamp: expect.any(String),
        type: "validation",
        code: "schema.invalid-object",
        object: { group: "", kind: "Service", namespace: "default", name: service },
      });
    });

    it("is told all at once: doubles, names that are made up, kinds and values", async () => {
      const [map, shop] = [name("told-once"), name("told-group")];
      const made = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: made-\n  namespace: default\n---\n`;
      const quux = `apiVersion: q.io/v1\nkind: Quux\nmetadata:\n  name: q\n---\n`;
      const input = [group(shop), configMap(map), configMap(map), made, made, quux];
      const { code, stderr } = await world.live("apply -", [...input, broken(name("b"))].join(""));
      expect(code).toBe(1);
      const codes = [...stderr.matchAll(/error\[(\S+)\]/g)].map(([, found]) => found);
      expect([...new Set(codes)]).toEqual([
        "objects.duplicate-object",
        "objects.generated-name",
        "cluster.unknown-kind",
        "schema.invalid-object",
      ]);
      expect(stderr).toContain("ConfigMap made-… has no name, only generateName");
      expect(await find("ConfigMap", map)).toBeUndefined();
      const skipping = [group(shop), configMap(name("fine")), configMap(map), configMap(map), made];
      const skipped = await world.live("apply --validation skip -", skipping.join(""));
      expect(skipped.code).toBe(2);
      expect(skipped.stdout).toContain("1 created, 2 skipped");
      await world.live("destroy -", group(shop));
    });

    it("is left out on request, with what depends on it, and is not pruned for that", async () => {
      const [map, service, shop] = [name("rest"), name("left-out"), name("skip-group")];
      const dependent = configMap(
        name("dependent"),
        {},
        { "config.kubernetes.io/depends-on": `/namespaces/default/Service/${service}` },
      );
      const good = broken(service).replace("99999", "80");
      await world.live("apply -", group(shop) + good);
      const before = await find("Service", service);
      const input = group(shop) + configMap(map) + broken(service) + dependent;
      const planned = await world.live("plan --validation skip -", input);
      expect([planned.code, (await world.live("plan -", input)).code]).toEqual([2, 1]);
      expect(planned.stderr).toContain("Invalid value: 99999");
      expect(planned.stdout).toContain("1 to create, 2 skipped");
      const { code, stdout } = await world.live("apply --validation skip -", input);
      expect(code).toBe(2);
      expect(stdout).toContain("Invalid value: 99999");
      expect(stdout).toContain(`ConfigMap default/${map} created`);
      expect(stdout).toContain(`ConfigMap default/${name("dependent")} skipped: it waits for`);
      expect((await find("Service", service))?.metadata.uid).toBe(before?.metadata.uid);
      const allowed = await world.live("apply --validation skip --allow-skips -", input);
      expect(allowed.code).toBe(0);
      await world.live("destroy -", group(shop));
      expect(await find("Service", service)).toBeUndefined();
    });

    it("is left out on request whatever one object has wrong, and nothing that it owns is pruned", async () => {
      const [map, labelled, shop] = [name("whole"), name("labelled"), name("wrong-group")];
      const wrong = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${labelled}\n  labels: {tier: 1}\n---\n`;
      const tpr = `apiVersion: extensions/v1beta1\nkind: ThirdPartyResource\nmetadata:\n  name: nodots\nversions:\n- name: v1\n---\n`;
      await world.live("apply -", group(shop) + configMap(labelled));
      const input = group(shop) + configMap(map) + wrong + tpr;
      expect((await world.live("apply -", input)).code).toBe(1);
      const skipped = await world.live("apply --validation skip --output events-json -", input);
      expect(skipped.code).toBe(2);
      const invalid = events(skipped.stdout).filter(({ type }) => type === "validation");
      expect(invalid.slice(0, 2)).toMatchObject([
        { code: "objects.field-type", object: { kind: "ConfigMap", name: labelled } },
        { code: "objects.invalid-third-party-resource", object: { name: "nodots" } },
      ]);
      expect(await find("ConfigMap", map)).toBeDefined();
      expect(await find("ConfigMap", labelled)).toBeDefined();
      // An object without a name may be any of those that are owned.
      const unnamed = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: default\n---\n`;
      const nameless = await world.live("apply --validation skip -", group(shop) + unnamed);
      expect(nameless.code).toBe(2);
      expect(nameless.stdout).toContain("ConfigMap has no metadata.name");
      expect(await find("ConfigMap", map)).toBeDefined();
      await world.live("destroy -", group(shop));
      expect(await find("ConfigMap", labelled)).toBeUndefined();
    });

    it("is left out on request where it is no object, or no YAML, and nothing is pruned then", async () => {
      const [map, owned, shop] = [name("readable"), name("owned"), name("unreadable-group")];
      await world.live("apply -", group(shop) + configMap(owned));
      const unreadable = {
        "objects.yaml-syntax": "kind: ConfigMap\nmetadata: {name: broken\n---\n",
        "objects.field-missing": "kind: ConfigMap\nmetadata:\n  name: unversioned\n---\n",
        "objects.not-an-object": "- a\n- b\n---\n",
      };
      const kindless = "apiVersion: v1\nmetadata:\n  name: kindless\n---\n";
      const input = group(shop) + configMap(map) + Object.values(unreadable).join("") + kindless;
      const planned = await world.live("plan --validation skip -", input);
      expect(planned.code).toBe(2);
      expect(planned.stdout).toContain(
        `ConfigMap default/${owned} skipped: it stays: not all that is desired is known`,
      );
      for (const problem of Object.keys(unreadable)) expect(planned.stderr).toContain(problem);
      const { code, stdout } = await world.live(
        "apply --validation skip --output events-json -",
        input,
      );
      expect(code).toBe(2);
      const invalid = events(stdout).filter(({ type }) => type === "validation");
      expect(invalid).toMatchObject([
        { code: "objects.yaml-syntax", source: { file: "<stdin>" } },
        { code: "objects.field-missing", object: { kind: "ConfigMap", name: "unversioned" } },
        { code: "objects.not-an-object" },
        { code: "objects.field-missing", object: { kind: "", name: "kindless" } },
      ]);
      expect(await find("ConfigMap", map)).toBeDefined();
      expect(await find("ConfigMap", owned)).toBeDefined();
      const kpt = await world.live("apply --validation skip --output json -", input);
      expect(events(kpt.stdout).filter(({ type }) => type === "validation")).toMatchObject([
        { error: expect.stringContaining("<stdin> cannot be read") as string, objects: [] },
        { objects: [{ name: "unversioned" }] },
        { objects: [] },
        { objects: [{ name: "kindless" }] },
      ]);
      world.write("mixed/all.yaml", group(shop) + configMap(map));
      world.write("mixed/picture.yaml", "PNG\0\0");
      expect((await world.live("apply {home}/mixed")).code).toBe(1);
      const mixed = await world.live("apply --validation skip {home}/mixed");
      expect(mixed.code).toBe(2);
      expect(mixed.stdout).toContain("picture.yaml cannot be read: it is a binary file");
      expect(await find("ConfigMap", owned)).toBeDefined();
      for (const [problem, text] of Object.entries(unreadable)) {
        const shown = await world.live(`apply --validation skip -`, group(shop) + text);
        expect([problem, shown.code]).toEqual([problem, 2]);
        expect(await find("ConfigMap", owned)).toBeDefined();
        expect((await world.live("apply -", group(shop) + text)).code).toBe(1);
      }
      const allowed = await world.live("apply --validation skip --allow-skips -", input);
      expect(allowed.code).toBe(0);
      await world.live("destroy -", group(shop));
      expect(await find("ConfigMap", owned)).toBeUndefined();
    });

    it("is named by its events, each object of a circle, too", async () => {
      const [one, two, shop] = [name("circle-1"), name("circle-2"), name("circle-group")];
      const waits = (from: string, to: string): string =>
        configMap(
          from,
          {},
          { "config.kubernetes.io/depends-on": `/namespaces/default/ConfigMap/${to}` },
        );
      const input = group(shop) + waits(one, two) + waits(two, one);
      const { stdout } = await world.live("apply --output events-json -", input);
      expect(events(stdout)).toMatchObject([
        { type: "validation", code: "live.cycle", objects: [{ name: one }, { name: two }] },
      ]);
    });

    it("is not what a server printed", async () => {
      const [map, shop] = [name("printed"), name("printed-group")];
      const printed = configMap(map, { a: "2" }).replace(
        "\ndata:",
        '\n  uid: 11111111-1111-1111-1111-111111111111\n  resourceVersion: "1"\n  generation: 3\n  creationTimestamp: "2020-01-01T00:00:00Z"\n  managedFields: []\ndata:',
      );
      await world.live("apply -", group(shop) + configMap(map));
      const { code, stdout, stderr } = await world.live("apply -", group(shop) + printed);
      expect(code).toBe(0);
      expect(stdout).toContain("1 configured");
      expect(stderr).toContain("metadata.resourceVersion and metadata.managedFields are left out");
      expect((await world.live("plan -", group(shop) + printed)).stdout).toBe("1 unchanged\n");
      await world.live("destroy -", group(shop));
    });

    it("is also a field that the server does not know", async () => {
      const [map, pod, shop] = [name("known"), name("unknown"), name("unknown-group")];
      const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${pod}\n  namespace: default\nspec:\n  containers:\n  - name: c\n    image: nginx\n    imagePulPolicy: Always\n---\n`;
      const { code, stderr } = await world.live("apply -", group(shop) + configMap(map) + text);
      expect(code).toBe(1);
      expect(stderr).toContain("spec.containers[0].imagePulPolicy");
      expect(stderr).toContain("Did you mean imagePullPolicy?");
      expect(await find("ConfigMap", map)).toBeUndefined();
    });

    it("is also a kind that nobody serves, and a namespace that nobody makes", async () => {
      const [map, shop] = [name("placed"), name("placed-group")];
      const quux = `apiVersion: q.io/v1\nkind: Quux\nmetadata:\n  name: q\n  namespace: default\n---\n`;
      const nowhere = configMap(name("lost-map"), {}, {}, "no-such-namespace");
      const { code, stderr } = await world.live(
        "apply -",
        group(shop) + configMap(map) + quux + nowhere,
      );
      expect(code).toBe(1);
      expect(stderr).toContain("error[cluster.unknown-kind]: Quux.q.io default/q");
      expect(stderr).toContain("error[live.namespace-missing]: the namespace no-such-namespace");
      expect(await find("ConfigMap", map)).toBeUndefined();
    });

    it("is not a kind that was added since the last command", async () => {
      const [map, shop] = [name("before-kind"), name("kind-group")];
      const suffix = unique.replaceAll(/[^a-z0-9]/g, "");
      const [plural, kind] = [`later${suffix}s`, `Later${suffix}`];
      expect((await world.live("apply -", group(shop) + configMap(map))).code).toBe(0);
      await world.look(async (cluster) => {
        await cluster.create({
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          metadata: { name: `${plural}.tests.keelson.dev` },
          spec: {
            group: "tests.keelson.dev",
            scope: "Namespaced",
            names: { plural, kind },
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: "object" } },
              },
            ],
          },
        });
        while (
          (await cluster.refreshResources()).preferred("tests.keelson.dev", kind) === undefined
        )
          await new Promise((resolve) => setImmediate(resolve));
      });
      const later = `apiVersion: tests.keelson.dev/v1\nkind: ${kind}\nmetadata:\n  name: l\n---\n`;
      const { stdout } = await world.live("apply -", group(shop) + configMap(map) + later);
      expect(stdout).toContain(`${kind}.tests.keelson.dev default/l created`);
      expect((await world.live("destroy -", group(shop))).code).toBe(0);
    });

    it("is judged by definitions of the same input, their rules included", async () => {
      const shop = name("crd-group");
      const plural = `gadgets${unique.replaceAll(/[^a-z0-9]/g, "")}`;
      const kind = `Gadget${unique.replaceAll(/[^a-z0-9]/g, "")}`;
      const definition = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${plural}.tests.keelson.dev\nspec:\n  group: tests.keelson.dev\n  scope: Namespaced\n  names: {plural: ${plural}, kind: ${kind}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              size: {type: integer, maximum: 5}\n              min: {type: integer}\n            x-kubernetes-validations:\n            - rule: "!has(self.min) || self.min <= self.size"\n              message: min is at most size\n---\n`;
      const gadget = (spec: string): string =>
        `apiVersion: tests.keelson.dev/v1\nkind: ${kind}\nmetadata:\n  name: g\n  namespace: default\nspec: ${spec}\n---\n`;
      const apply = async (spec: string): Promise<string> =>
        (await world.live("apply -", group(shop) + definition + gadget(spec))).stderr;
      expect(await apply("{size: 9}")).toContain("should be less than or equal to 5");
      expect(await apply("{size: 1, sice: 2}")).toContain("Did you mean size?");
      expect(await apply("{size: 1, min: 2}")).toContain("min is at most size");
      const { code } = await world.live("apply -", group(shop) + definition + gadget("{size: 1}"));
      expect(code).toBe(0);
      // With its definition the object would go that was just applied.
      const without = await world.live("apply -", group(shop) + gadget("{size: 1}"));
      expect(without.code).toBe(0);
      expect(without.stdout).toContain("kept: it still defines objects that stay");
      expect(without.stdout).toContain("1 unchanged, 1 kept");
      expect((await world.live("destroy -", group(shop))).code).toBe(0);
    });
  });

  describe("a saved plan", () => {
    it("is carried out as it is, or not at all", async () => {
      const [map, shop] = [name("planned"), name("planned-group")];
      const input = (value: string): string => group(shop) + configMap(map, { password: value });
      const planned = await world.live("plan --save saved.plan -", input("swordfish"));
      expect(planned).toMatchObject({ code: 0 });
      expect(world.read("saved.plan")).not.toContain("swordfish");
      const other = await world.live("apply --plan saved.plan -", input("other"));
      expect(other.code).toBe(1);
      expect(other.stderr).toContain("live.plan-outdated");
      expect(other.stderr).toContain(`ConfigMap default/${map}: the input has changed`);
      expect(await find("ConfigMap", map)).toBeUndefined();
      expect((await world.live("apply --plan saved.plan -", input("swordfish"))).code).toBe(0);
      const again = await world.live("apply --plan saved.plan -", input("swordfish"));
      expect(again.stderr).toContain(
        `ConfigMap default/${map}: the plan was to create it, now it would be to leave it as it is`,
      );

      await world.live("plan --save saved.plan -", input("new"));
      await world.look((cluster) =>
        cluster.apply(
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: map, namespace: "default" },
            data: { theirs: "1" },
          },
          { fieldManager: "other" },
        ),
      );
      const changed = await world.live("apply --plan saved.plan -", input("new"));
      expect(changed.stderr).toContain(`ConfigMap default/${map}: it has changed in the cluster`);
      world.write("saved.plan", "{}");
      expect((await world.live("apply --plan saved.plan -", input("new"))).stderr).toContain(
        "error[live.plan-file]: saved.plan is not a plan",
      );
      await world.live("destroy -", group(shop));
    });
  });

  describe("a field that cannot be changed", () => {
    it("is said with the way out, and planned as a replacement where that is taken", async () => {
      const [map, shop] = [name("immutable"), name("immutable-group")];
      const input = (color: string, annotations = {}): string =>
        group(shop) +
        configMap(map, { color }, annotations).replace("\ndata:", "\nimmutable: true\ndata:");
      await world.live("apply -", input("blue"));
      const refused = await world.live("apply -", input("red"));
      expect(refused.code).toBe(3);
      expect(refused.stdout).toContain("keelson.dev/on-immutable: recreate");
      const recreated = { "keelson.dev/on-immutable": "recreate" };
      const planned = await world.live("plan -", input("red", recreated));
      expect(planned.code).toBe(0);
      expect(planned.stdout).toContain(`± ConfigMap default/${map} replaced because of data`);
      expect((await world.live("apply -", input("red", recreated))).code).toBe(0);
      await world.live("destroy -", group(shop));
    });
  });

  describe("an inventory that is a ConfigMap", () => {
    it("is moved to a ResourceGroup with all that it owns", async () => {
      const [map, old, id] = [name("owned"), name("inventory"), name("id")];
      const template = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${old}\n  namespace: default\n  labels:\n    ${idLabel}: ${id}\n`;
      world.write("pkg/inventory-template.yaml", template);
      world.write("pkg/a.yaml", configMap(map));
      await world.look(async (cluster) => {
        await cluster.create({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `${old}-5f3a`, namespace: "default", labels: { [idLabel]: id } },
          data: { [`default_${map}__ConfigMap`]: "", default_gone_apps_Deployment: "" },
        });
        await cluster.create({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: {
            name: map,
            namespace: "default",
            annotations: { "config.k8s.io/owning-inventory": id },
          },
        });
      });
      const refused = await world.live("apply pkg");
      expect(refused.stderr).toContain("live.config-map-inventory");
      expect(refused.stderr).toContain("keelson live migrate");
      expect((await world.live("migrate pkg --dry-run")).stdout).toContain("its 2 objects");
      expect(existsSync(join(world.home, "pkg/inventory-template.yaml"))).toBe(true);
      expect((await world.live("migrate pkg")).stdout).toBe(
        `✓ pkg/resourcegroup.yaml: inventory default/${old}, id ${id}, 2 objects\n`,
      );
      expect(existsSync(join(world.home, "pkg/inventory-template.yaml"))).toBe(false);
      expect(world.read("pkg/resourcegroup.yaml")).toContain(id);
      expect(await find("ConfigMap", `${old}-5f3a`)).toBeUndefined();
      expect((await world.live("migrate pkg")).stdout).toContain("nothing to migrate");
      const applied = await world.live("apply pkg");
      expect(applied.stdout).toContain("1 configured");
      expect((await world.live("destroy pkg")).code).toBe(0);
      expect(await find("ConfigMap", map)).toBeUndefined();
    });

    it("leaves what else is in the file of its template", async () => {
      world.write(
        "pkg/all.yaml",
        `# first\n${configMap(name("beside"))}apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels: {${idLabel}: ${name("beside")}}\n`,
      );
      expect((await world.live("migrate pkg")).code).toBe(0);
      expect(world.read("pkg/all.yaml")).toBe(
        `# first\n${configMap(name("beside")).replace(/---\n$/, "")}`,
      );
    });
  });

  describe("views", () => {
    it("shows a table at the end, and what a dry run would do", async () => {
      const [map, shop] = [name("table"), name("table-group")];
      const input = group(shop) + configMap(map);
      expect((await world.live("apply --dry-run -", input)).stdout).toBe(
        `+ ConfigMap default/${map} create\n1 to create\n`,
      );
      const { stdout } = await world.live("apply --output table -", input);
      expect(stdout).toMatch(/^OBJECT +ACTION +STATUS +MESSAGE\n/);
      expect(stdout).toContain(`ConfigMap default/${map}  created  ready`);
      await world.live("destroy -", group(shop));
    });

    it("follows a status until all is ready", async () => {
      const [web, shop] = [name("web"), name("status-group")];
      const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${web}\n  namespace: default\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: ${web}}}\n  template:\n    metadata: {labels: {app: ${web}}}\n    spec: {containers: [{name: c, image: nginx}]}\n---\n`;
      world.write("rg.yaml", group(shop));
      await world.live("apply --wait=false --rg-file rg.yaml -", deployment);
      const { code, stdout } = await world.live(
        "status --rg-file rg.yaml --poll-until current --timeout 60s --output events-json",
      );
      expect(code).toBe(0);
      expect(events(stdout).at(-1)).toMatchObject({
        type: "status",
        status: "Current",
        object: { kind: "Deployment", name: web },
      });
      const timedOut = await world.live(
        "status --rg-file rg.yaml --poll-until deleted --timeout 1ms",
      );
      expect(timedOut.code).toBe(3);
      expect(timedOut.stderr).toContain("timed out after 0.0 s: 1 of 1 objects not gone");
      const inJson = await world.live(
        "status --rg-file rg.yaml --poll-until deleted --timeout 1ms --output events-json",
      );
      expect(inJson.stderr).toBe("");
      expect(events(inJson.stdout).at(-1)).toMatchObject({
        type: "error",
        code: "live.not-in-time",
        summary: "timed out after 0.0 s: 1 of 1 objects not gone",
      });
      await world.live("destroy --rg-file rg.yaml");
      const gone = await world.live("status --rg-file rg.yaml --poll-until deleted --timeout 60s");
      expect(gone.code).toBe(0);
    });
  });
}
