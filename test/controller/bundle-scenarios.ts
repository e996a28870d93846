import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import type { ObjectKind } from "../../src/cluster/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
const configMapKind = { apiVersion: "v1", kind: "ConfigMap" };
const longestDeletionMs = 60_000;
const deploymentKind = { apiVersion: "apps/v1", kind: "Deployment" };

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The conditions that hold, of the bundle and of each resource: `Ready`, `a=Ready`, `b=Blocked`. */
export function statesOf(bundle: KubernetesObject | undefined): readonly string[] {
  const held = (conditions: unknown): string =>
    objectsIn(conditions)
      .filter(({ status }) => status === "True")
      .map(({ type, reason }) => textOf(type) + (type === "Error" ? `:${textOf(reason)}` : ""))
      .join("+");
  const status = bundle?.["status"];
  return [
    held(fieldAt(status, "conditions")),
    ...objectsIn(fieldAt(status, "resourceStatuses")).map(
      ({ name, conditions }) => `${textOf(name)}=${held(conditions)}`,
    ),
  ];
}

export function isReady(bundle: KubernetesObject | undefined): boolean {
  const { generation } = bundle?.metadata ?? {};
  return (
    statesOf(bundle)[0] === "Ready" &&
    fieldAt(bundle, "status", "observedGeneration") === generation
  );
}

export function messageOf(bundle: KubernetesObject | undefined, type: string): string {
  const found = objectsIn(fieldAt(bundle, "status", "conditions")).find(
    (condition) => condition["type"] === type,
  );
  return textOf(found?.["message"]);
}

export const settings = `
  - name: settings
    spec:
      object:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: settings }
        data: { colour: red, port: "8080" }`;

export const web = `
  - name: web
    references:
      - { name: colour, resource: settings, path: data.colour }
      - { name: name, resource: settings, path: metadata.name }
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          annotations: { colour: "!{colour}", text: "the !{colour} one, !!{colour}" }
        spec:
          selector: { matchLabels: { app: web } }
          template:
            metadata: { labels: { app: web } }
            spec:
              containers:
                - name: web
                  image: web:1
                  envFrom: [{ configMapRef: { name: "!{name}" } }]`;

export function bundle(name: string, ...resources: readonly string[]): string {
  return `
apiVersion: smith.atlassian.com/v1
kind: Bundle
metadata: { name: ${name} }
spec:
  resources:${resources.length === 0 ? " []" : resources.join("")}
`;
}

/** A resource whose name, objects and references are of one test only: tests share a namespace. */
function ownOf(test: string, resource: string): string {
  return resource.replaceAll(/\b(?:settings|web)\b/g, `${test}-$&`);
}

/** A kind that is ready when its status says so, in an API group of its own. */
function lateDefinition(group: string): string {
  return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lates.${group}, annotations: { keelson.dev/ready-when: "self.status.phase == 'Up'" } }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: Late, plural: lates, singular: late, listKind: LateList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
}

/**
 * Begins to watch for the end of an object, which comes as the version of the cluster at that moment:
 * two watches may tell of their events in another order than they happened.
 */
async function watchDeletion(
  { cluster, namespace }: ControllerWorld,
  kind: ObjectKind,
  name: string,
): Promise<{ readonly deletedAt: Promise<number> }> {
  const signal = AbortSignal.timeout(longestDeletionMs);
  const begun = Promise.withResolvers<void>();
  const watch = async (): Promise<number> => {
    for await (const event of cluster.watch(kind, { namespace, signal })) {
      if (event.kind === "snapshot") begun.resolve();
      if (event.kind === "deleted" && event.object.metadata.name === name)
        return Number(event.object.metadata.resourceVersion);
    }
    throw new Error(`${kind.kind} ${name} is still there`);
  };
  const deletedAt = watch();
  deletedAt.catch(begun.reject);
  await begun.promise;
  return { deletedAt };
}

/** What bundles do, the same on every cluster. */
export function bundleScenarios(kubeconfig: () => string | undefined): void {
  describe("bundles", () => {
    let world: ControllerWorld;
    const unique = `u${Math.random().toString(36).slice(2, 8)}`;
    beforeAll(async () => {
      world = await ControllerWorld.open(kubeconfig(), bundleDefinitions);
      const { namespace } = world;
      const plugin = {
        describe: () => configMapKind,
        process: (spec: object) => ({ data: spec }),
        check: (spec: object) => ("bad" in spec ? ["bad is not known"] : []),
      };
      await world.run([
        bundleReconciler({
          namespace,
          plugins: {
            get: (name) => (name === "settings" ? plugin : undefined),
            load: () => Promise.resolve(),
          },
        }),
      ]);
    });
    afterAll(async () => {
      await world.close();
    });
    const untilReady = (name: string): Promise<KubernetesObject | undefined> =>
      world.until(bundleKind, name, isReady);

    it("runs bundles in Smith's first form, and dependencies go after what uses them", async () => {
      const early = `
  - name: first
    spec: { apiVersion: v1, kind: ConfigMap, metadata: { name: early-first }, data: { message: hello } }
  - name: second
    dependsOn: [first]
    spec:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: early-second }
      data: { message: "{{first#data.message}}, and good-bye" }`;
      await world.apply(bundle("early", early));
      await untilReady("early");
      const first = await world.get("v1", "ConfigMap", "early-first");
      const second = await world.get("v1", "ConfigMap", "early-second");
      expect(second["data"]).toEqual({ message: "hello, and good-bye" });
      const { uid } = first.metadata;
      expect(second.metadata.ownerReferences).toMatchObject([
        { kind: "Bundle", controller: true, blockOwnerDeletion: true },
        { kind: "ConfigMap", uid, blockOwnerDeletion: true },
      ]);
    });

    it("makes resources in order, with values of others in them", async () => {
      await world.apply(bundle("shop", web, settings));
      const ready = await untilReady("shop");
      expect(statesOf(ready)).toEqual(["Ready", "settings=Ready", "web=Ready"]);
      const deployment = await world.get("apps/v1", "Deployment", "web");
      expect(deployment.metadata.annotations).toMatchObject({
        colour: "red",
        text: "the red one, !{colour}",
      });
      const owners = deployment.metadata.ownerReferences ?? [];
      expect(owners.map(({ kind, name, controller }) => [kind, name, controller])).toEqual([
        ["Bundle", "shop", true],
        ["ConfigMap", "settings", undefined],
      ]);
      expect(fieldAt(ready, "status", "objects")).toEqual([
        { group: "", version: "v1", kind: "ConfigMap", name: "settings" },
        { group: "apps", version: "v1", kind: "Deployment", name: "web" },
      ]);
    });

    it("follows changes, and rolls the pods of what reads a changed ConfigMap", async () => {
      const own = ownOf("changed", settings);
      const reader = ownOf("changed", web);
      await world.apply(bundle("changed", own, reader));
      await untilReady("changed");
      const before = await world.get("apps/v1", "Deployment", "changed-web");
      const hash = (object: KubernetesObject | undefined): unknown =>
        fieldAt(object, "spec", "template", "metadata", "annotations", "keelson.dev/config-hash");
      expect(hash(before)).toMatch(/^[0-9a-f]{16}$/);
      await world.apply(bundle("changed", own.replace("red", "blue"), reader));
      await world.until(deploymentKind, "changed-web", (object) => {
        const colour = object?.metadata.annotations?.["colour"];
        return colour === "blue" && hash(object) !== hash(before);
      });
      await untilReady("changed");
    });

    it("brings back what somebody else changed or deleted", async () => {
      await world.apply(bundle("mended", ownOf("mended", settings), ownOf("mended", web)));
      await untilReady("mended");
      const reference = world.reference("v1", "ConfigMap", "mended-settings");
      await world.cluster.patch(reference, "merge", { data: { colour: "green" } });
      const colour = (object: KubernetesObject | undefined): unknown =>
        fieldAt(object, "data", "colour");
      await world.until(configMapKind, "mended-settings", (object) => colour(object) === "red");
      const { metadata } = await world.cluster.get(reference);
      await world.cluster.delete(reference);
      await world.until(
        configMapKind,
        "mended-settings",
        (object) => object !== undefined && object.metadata.uid !== metadata.uid,
      );
      await untilReady("mended");
    });

    it("deletes what left it when the rest is ready, and all of it in order with the bundle", async () => {
      const own = ownOf("left", settings);
      const reader = ownOf("left", web);
      await world.apply(bundle("left", own, reader));
      await untilReady("left");
      await world.apply(bundle("left", own));
      await world.until(deploymentKind, "left-web", (object) => object === undefined);
      await untilReady("left");
      await world.apply(bundle("left", own, reader));
      await untilReady("left");
      const reading = await watchDeletion(world, deploymentKind, "left-web");
      const read = await watchDeletion(world, configMapKind, "left-settings");
      await world.cluster.delete(world.reference(bundleKind.apiVersion, "Bundle", "left"));
      await world.until(bundleKind, "left", (object) => object === undefined);
      expect(await reading.deletedAt).toBeLessThan(await read.deletedAt);
    });

    it("refuses objects of others and tells whose they are; siblings go on", async () => {
      await world.apply(`
apiVersion: v1
kind: ConfigMap
metadata: { name: taken }
data: { by: somebody }
`);
      const taken = settings.replaceAll("settings", "taken").replace("red", "mine");
      await world.apply(bundle("greedy", taken, settings.replaceAll("settings", "other")));
      const found = await world.until(
        bundleKind,
        "greedy",
        (object) =>
          statesOf(object).join(" ") ===
          "Error:TerminalError taken=Error:TerminalError other=Ready",
      );
      expect(messageOf(found, "Error")).toContain(
        "taken: ConfigMap taken exists and is controlled by nobody, not by this bundle",
      );
      expect(await world.get("v1", "ConfigMap", "taken")).toMatchObject({
        data: { by: "somebody" },
      });
      await world.cluster.delete(world.reference("v1", "ConfigMap", "taken"));
      await untilReady("greedy");
      expect(await world.get("v1", "ConfigMap", "taken")).toMatchObject({
        data: { colour: "mine" },
      });
    });

    it("says what the server refuses, and what it cannot know yet", async () => {
      const lateGroup = `${unique}.example.com`;
      await world.apply(
        bundle(
          "refused",
          settings.replaceAll("settings", "no-such").replace('"8080"', "{ nested: 1 }"),
          settings
            .replaceAll("settings", "late")
            .replace("apiVersion: v1", `apiVersion: ${lateGroup}/v1`)
            .replace("kind: ConfigMap", "kind: Late"),
        ),
      );
      const found = await world.until(
        bundleKind,
        "refused",
        (object) =>
          statesOf(object).join(" ") ===
          "Error:RetriableError no-such=Error:TerminalError late=Error:RetriableError",
      );
      expect(messageOf(found, "Error")).toMatch(
        /does not serve Late of .*example\.com\/v1 .*tried again/,
      );
      await world.apply(lateDefinition(lateGroup));
      await world.until(bundleKind, "refused", (object) =>
        statesOf(object).includes("late=InProgress"),
      );
      await world.cluster.patch(world.reference(`${lateGroup}/v1`, "Late", "late"), "merge", {
        status: { phase: "Up" },
      });
      await world.until(bundleKind, "refused", (object) => statesOf(object).includes("late=Ready"));
    });

    it("waits for what is not ready, and says for what", async () => {
      const slowGroup = `slow.${unique}.example.com`;
      await world.apply(lateDefinition(slowGroup));
      const failing = `
  - name: slow
    spec:
      object:
        apiVersion: ${slowGroup}/v1
        kind: Late
        metadata: { name: slow }
        status: { phase: Down }`;
      const after = settings
        .replaceAll("settings", "after")
        .replace("\n    spec:", "\n    dependsOn: [slow]\n    spec:");
      await world.apply(bundle("waiting", after, failing));
      const found = await world.until(
        bundleKind,
        "waiting",
        (object) =>
          statesOf(object).join(" ") === "Blocked+InProgress slow=InProgress after=Blocked",
      );
      expect(messageOf(found, "InProgress")).toContain("after: waits for slow");
      expect(await world.find("v1", "ConfigMap", "after")).toBeUndefined();
      await world.apply(bundle("waiting", after, failing.replace("Down", "Up")));
      await untilReady("waiting");
    });

    it("waits for objects of others that an annotation names, and goes on when these are ready", async () => {
      const group = `outer.${unique}.example.com`;
      await world.apply(lateDefinition(group));
      const reference = `${group}/namespaces/${world.namespace}/Late/outer`;
      const dependent = settings
        .replaceAll("settings", "dependent")
        .replace(
          "{ name: dependent }",
          `{ name: dependent, annotations: { config.kubernetes.io/depends-on: ${reference} } }`,
        );
      await world.apply(bundle("outside", dependent));
      const saying = (text: string) =>
        world.until(
          bundleKind,
          "outside",
          (object) =>
            statesOf(object)[1] === "dependent=Blocked" &&
            messageOf(object, "InProgress").includes(text),
        );
      await saying(`waits for Late.${group} ${world.namespace}/outer, which does not exist`);
      const outer = (phase: string): string =>
        `{apiVersion: ${group}/v1, kind: Late, metadata: {name: outer}, status: {phase: ${phase}}}`;
      await world.apply(outer("Down"));
      await saying(`waits for Late.${group} ${world.namespace}/outer, which is not ready`);
      expect(await world.find("v1", "ConfigMap", "dependent")).toBeUndefined();
      await world.apply(outer("Up"));
      await untilReady("outside");
    });

    it("checks objects with the examples of their references before these are there", async () => {
      const wrong = `
  - name: scaled
    references:
      - { name: replicas, resource: settings, path: data.replicas, example: many }
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: scaled }
        spec:
          replicas: "!{replicas}"
          selector: { matchLabels: { app: web } }
          template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:1" }] } }`;
      await world.apply(
        bundle(
          "examples",
          settings.replaceAll("settings", "base"),
          wrong.replace("resource: settings", "resource: base"),
        ),
      );
      const found = await world.until(bundleKind, "examples", (object) =>
        statesOf(object).includes("scaled=Error:TerminalError"),
      );
      expect(messageOf(found, "Error")).toContain("scaled: with its examples: Deployment scaled");
    });

    it("keeps every digit of integers, also where they are changed", async () => {
      const bigGroup = `big.${unique}.example.com`;
      await world.apply(lateDefinition(bigGroup));
      const counting = (count: string): string => `
  - name: counting
    references: [{ name: colour, resource: big-settings, path: data.colour, example: red }]
    spec:
      object:
        apiVersion: ${bigGroup}/v1
        kind: Late
        metadata: { name: counting, labels: { colour: "!{colour}" } }
        spec: { count: ${count} }
        status: { phase: Up }`;
      for (const count of ["9007199254740993", "9007199254740995"]) {
        await world.apply(bundle("counting", ownOf("big", settings), counting(count)));
        await untilReady("counting");
        const { spec } = await world.get(`${bigGroup}/v1`, "Late", "counting");
        expect(fieldAt(spec, "count")).toBe(BigInt(count));
      }
    });

    it("leaves a required field to another field manager, as the server allows", async () => {
      const shared = ownOf("shared", web);
      const parts = ownOf("shared", settings);
      await world.apply(bundle("shared", parts, shared));
      await untilReady("shared");
      await world.apply(
        `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shared-web }
spec: { template: { spec: { containers: [{ name: shared-web, image: "shared-web:1" }] } } }
`,
        "releases",
      );
      const without = shared.replace(/image: \S+/, "stdin: true");
      await world.apply(bundle("shared", parts, without));
      await untilReady("shared");
      const { spec } = await world.get("apps/v1", "Deployment", "shared-web");
      expect(fieldAt(spec, "template", "spec", "containers", 0)).toMatchObject({
        image: "shared-web:1",
        stdin: true,
      });
    });

    it("rolls pods when a Secret changes that is not its own", async () => {
      const outside = (value: string): string => `
apiVersion: v1
kind: Secret
metadata: { name: outside }
stringData: { value: ${value} }
`;
      await world.apply(outside("one"));
      const reader = `
  - name: reader
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: reader }
        spec:
          selector: { matchLabels: { app: reader } }
          template:
            metadata: { labels: { app: reader } }
            spec:
              containers: [{ name: web, image: "web:1" }]
              volumes: [{ name: secret, secret: { secretName: outside } }]`;
      await world.apply(bundle("reader", reader));
      await untilReady("reader");
      const { generation } = (await world.get("apps/v1", "Deployment", "reader")).metadata;
      await world.apply(outside("two"));
      const rolled = await world.until(
        deploymentKind,
        "reader",
        (object) => object?.metadata.generation !== generation,
      );
      expect(JSON.stringify(rolled)).not.toContain("two");
      await untilReady("reader");
    });

    it("lets plugins describe objects", async () => {
      const plugged = `
  - name: plugged
    references:
      - { name: colour, resource: base, path: data.colour }
    spec: { plugin: { name: settings, objectName: plugged, spec: { taken: "!{colour}" } } }
  - name: unknown
    spec: { plugin: { name: nothing, objectName: unknown } }
  - name: bad
    spec: { plugin: { name: settings, objectName: bad, spec: { bad: "x" } } }`;
      await world.apply(
        bundle("plugins", settings.replaceAll("settings", "base"), plugged)
          .replaceAll("name: base", "name: base2")
          .replaceAll("resource: base", "resource: base2"),
      );
      const found = await world.until(bundleKind, "plugins", (object) =>
        statesOf(object).includes("plugged=Ready"),
      );
      expect(await world.get("v1", "ConfigMap", "plugged")).toMatchObject({
        data: { taken: "red" },
      });
      expect(messageOf(found, "Error")).toContain("unknown: the plugin nothing is not installed");
      expect(messageOf(found, "Error")).toContain(
        "bad: the plugin settings refuses its spec: bad is not known",
      );
    });

    it("says what is wrong with a bundle, and does nothing", async () => {
      await world.apply(bundle("wrong", web));
      const found = await world.until(
        bundleKind,
        "wrong",
        (object) => statesOf(object)[0] === "Error:TerminalError",
      );
      expect(messageOf(found, "Error")).toContain(
        "web refers to settings, and there is no resource of that name",
      );
      await world.cluster.delete(world.reference(bundleKind.apiVersion, "Bundle", "wrong"));
      await world.until(bundleKind, "wrong", (object) => object === undefined);
    });

    it("knows them as Template, too, as in the first days", async () => {
      await world.apply(
        bundle("old", settings.replaceAll("settings", "old-settings")).replace(
          "kind: Bundle",
          "kind: Template",
        ),
      );
      await world.until({ ...bundleKind, kind: "Template" }, "old", isReady);
    });
  });
}
