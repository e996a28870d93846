/** What protects, keeps, replaces, takes over and records on the command line does so for supply chains. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterOver, type Cluster } from "../../src/cluster/index.ts";
import { HttpTransport } from "../../src/cluster/transport/http-transport.ts";
import { RenewingTransport } from "../../src/cluster/transport/renewing-transport.ts";
import { RetryingTransport } from "../../src/cluster/transport/retrying-transport.ts";
import { measuredCluster } from "../../src/controller/runtime/measured-cluster.ts";
import { readHistory } from "../../src/inventory/index.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { FaultyTransport } from "../faults/faulty-transport.ts";
import { BlueprintWorld, conditionOf, reasonOf } from "./blueprint-world.ts";
import { gitSource, platformYaml, workloadYaml } from "./platform-yaml.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap" };
const defaults = [
  '{name: protect, default: "no"}',
  '{name: remove, default: "no"}',
  '{name: deletion, default: "no"}',
  '{name: immutable, default: "no"}',
  '{name: after, default: ""}',
  "{name: fixed, default: false}",
  "{name: colour, default: red}",
].join(", ");

/** A chain of one step, with a template for workloads with a git source and one for the others. */
const platform = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: kept-UNIQUE}
spec:
  selector: {kept: UNIQUE}
  resources:
    - name: config
      templateRef:
        kind: ClusterTemplate
        options:
          - {name: first-UNIQUE, selector: {matchFields: [{key: workload.spec.source.git, operator: Exists}]}}
          - {name: second-UNIQUE, selector: {matchFields: [{key: workload.spec.source.image, operator: Exists}]}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: first-UNIQUE}
spec:
  params: [${defaults}]
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: $(workload.metadata.name)$-first
      annotations:
        keelson.dev/protect: $(params.protect)$
        cli-utils.sigs.k8s.io/on-remove: $(params.remove)$
        client.lifecycle.config.k8s.io/deletion: $(params.deletion)$
        keelson.dev/on-immutable: $(params.immutable)$
        config.kubernetes.io/depends-on: $(params.after)$
    immutable: $(params.fixed)$
    data: {colour: $(params.colour)$}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: second-UNIQUE}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: $(workload.metadata.name)$-second}, data: {is: second}}
---
`;

const git = "{git: {url: u, ref: {branch: main}}}";

function workload(name: string, params: Readonly<Record<string, string>>, source = git): string {
  const given = Object.entries(params).map(([key, value]) => `{name: ${key}, value: ${value}}`);
  return `
apiVersion: kontinue.io/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: UNIQUE, labels: {kept: UNIQUE}}
spec: {params: [${given.join(", ")}], source: ${source}}
`;
}

function historyOf(object: KubernetesObject | undefined): readonly string[] {
  return readHistory(JSON.stringify(fieldAt(object, "status", "history") ?? [])).map(
    ({ objects }) => objects.map(({ key, action }) => `${action} ${key}`).join(),
  );
}

export function stampedWriterScenarios(kubeconfig: () => string): void {
  describe("stamped objects", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(platform);
      await world.control();
    });
    afterAll(() => world.close());
    const find = (name: string): Promise<KubernetesObject | undefined> =>
      world.cluster.find({ ...configMap, namespace: world.namespace, name });
    const remove = async (name: string): Promise<void> => {
      const kind = { apiVersion: "kontinue.io/v1alpha1", kind: "Workload" };
      await world.cluster.delete({ ...kind, namespace: world.namespace, name });
      await world.until(kind, name, (object) => object === undefined);
    };
    const isReleased = (object: KubernetesObject | undefined): boolean =>
      object !== undefined &&
      (object.metadata.ownerReferences ?? []).length === 0 &&
      Object.keys(object.metadata.labels ?? {}).every((label) => !label.startsWith("carto.run/"));

    it("wait for objects of others, which the account of their owner must be allowed to read", async () => {
      const saying = (name: string, text: RegExp) =>
        world.workload(name, (object) => text.test(JSON.stringify(object?.["status"] ?? {})));
      await world.apply(workload("curious", { after: "/namespaces/kube-system/Secret/token" }));
      await saying(
        "curious",
        /waits for Secret kube-system\/token, which cannot be read: [^"]*may not get/,
      );
      await world.apply(
        workload("patient", { after: `/namespaces/${world.namespace}/ConfigMap/wanted` }),
      );
      await saying("patient", /waits for ConfigMap \S+\/wanted, which does not exist/);
      expect(await find("patient-first")).toBeUndefined();
      const metadata = { name: "wanted", namespace: world.namespace };
      await world.cluster.create({ ...configMap, metadata });
      await world.ready("patient");
      expect(await find("curious-first")).toBeUndefined();
    });

    it("stay when they are protected, and the status says so", async () => {
      await world.apply(workload("safe", { protect: '"true"' }));
      await world.ready("safe");
      await world.apply(workload("safe", { protect: '"true"' }, "{image: i}"));
      const found = await world.workload("safe", (object) =>
        JSON.stringify(object?.["status"] ?? {}).includes("it is protected"),
      );
      expect(fieldAt(found, "status", "stayingObjects")).toMatchObject([
        { kind: "ConfigMap", name: "safe-first", reason: "Protected" },
      ]);
      const submitted = objectsIn(fieldAt(found, "status", "conditions")).find(
        ({ type }) => type === "ResourcesSubmitted",
      );
      expect(submitted?.["message"]).toBe(
        "ConfigMap safe-first stays: it is protected; take the protection away first, with an apply of its own",
      );
      await world.ready("safe");
      expect((await find("safe-first"))?.metadata.ownerReferences).toHaveLength(1);
      // The protection is taken away where it was set: on the object itself.
      await world.cluster.patch(
        { ...configMap, namespace: world.namespace, name: "safe-first" },
        "merge",
        { metadata: { annotations: { "keelson.dev/protect": null } } },
      );
      await world.until(configMap, "safe-first", (object) => object === undefined);
      const ready = await world.workload(
        "safe",
        (object) => !JSON.stringify(object?.["status"]).includes("protected"),
      );
      expect(ready?.metadata.finalizers ?? []).toEqual([]);
    });

    it("stay when their workload is deleted, and are nobody's then", async () => {
      await world.apply(workload("going", { protect: '"true"' }));
      await world.ready("going");
      await remove("going");
      const stayed = await find("going-first");
      expect(isReleased(stayed)).toBe(true);
      expect(stayed?.["data"]).toEqual({ colour: "red" });
    });

    it.each([
      ["keep", { remove: "keep" }],
      ["detach", { deletion: "detach" }],
    ])("are kept and released when their annotation asks for it: %s", async (name, params) => {
      await world.apply(workload(name, params));
      await world.ready(name);
      await world.apply(workload(name, params, "{image: i}"));
      await world.until(configMap, `${name}-first`, isReleased);
      await world.ready(name);
      await remove(name);
      await world.until(configMap, `${name}-second`, (object) => object === undefined);
      expect(isReleased(await find(`${name}-first`))).toBe(true);
      await world.apply(workload(`${name}-owner`, params));
      await world.ready(`${name}-owner`);
      await remove(`${name}-owner`);
      expect(isReleased(await find(`${name}-owner-first`))).toBe(true);
    });

    it("are made anew where a field cannot change and their annotation asks for it", async () => {
      const fixed = { fixed: "true" };
      await world.apply(workload("anew", { ...fixed, immutable: "recreate" }));
      await world.apply(workload("stuck", fixed));
      await world.ready("anew");
      await world.ready("stuck");
      const before = await find("anew-first");
      await world.apply(workload("anew", { ...fixed, immutable: "recreate", colour: "blue" }));
      await world.apply(workload("stuck", { ...fixed, colour: "blue" }));
      const made = await world.until(
        configMap,
        "anew-first",
        (object) => fieldAt(object, "data", "colour") === "blue",
      );
      expect(made?.metadata.uid).not.toBe(before?.metadata.uid);
      const ready = await world.ready("anew");
      expect(historyOf(ready)[0]).toBe(`replaced /ConfigMap/${world.namespace}/anew-first`);
      const refused = await world.workload(
        "stuck",
        (object) => reasonOf(object) === "TemplateRejectedByAPIServer",
      );
      const said = JSON.stringify(refused?.["status"]);
      expect(said).toMatch(/data: .*immutable/);
      expect(said).toContain(
        "if the field cannot be changed, the annotation keelson.dev/on-immutable: recreate lets it be made anew",
      );
      expect(fieldAt(await find("stuck-first"), "data", "colour")).toBe("red");
    });

    it("are taken over from client-side kubectl apply", async () => {
      await world.apply(workload("taken", {}));
      await world.ready("taken");
      await world.cluster.patch(
        { ...configMap, namespace: world.namespace, name: "taken-first" },
        "merge",
        { data: { colour: "green", extra: "1" } },
        { fieldManager: "kubectl-client-side-apply" },
      );
      const taken = await world.until(
        configMap,
        "taken-first",
        (object) =>
          fieldAt(object, "data", "colour") === "red" &&
          fieldAt(object, "data", "extra") === undefined,
      );
      const managers = taken?.metadata.managedFields?.map(({ manager = "" }) => manager);
      expect(managers).toEqual([expect.stringMatching(/^keelson-blueprints-/)]);
    });

    it("have a history: what the controller created, changed and pruned", async () => {
      const key = (name: string): string => `/ConfigMap/${world.namespace}/${name}`;
      await world.apply(workload("past", {}));
      expect(historyOf(await world.ready("past"))).toEqual([`created ${key("past-first")}`]);
      await world.apply(workload("past", { colour: "blue" }));
      const changed = await world.workload("past", (object) => historyOf(object).length === 2);
      expect(historyOf(changed)[0]).toBe(`changed ${key("past-first")}`);
      await world.apply(workload("past", {}, "{image: i}"));
      const switched = await world.workload("past", (object) =>
        historyOf(object).join().includes("pruned"),
      );
      expect(historyOf(switched).join()).toContain(`created ${key("past-second")}`);
      expect(historyOf(switched).join()).toContain(`pruned ${key("past-first")}`);
    });
  });

  describe("requests of supply chains", () => {
    let world: BlueprintWorld;
    const requests: string[] = [];
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(platformYaml());
      const through = (cluster: Cluster): Cluster =>
        measuredCluster(cluster, (verb, kind) => {
          // Kinds are watched, and blueprints judged, however many workloads there are.
          if (verb !== "watch" && !kind.startsWith("Cluster")) requests.push(`${verb} ${kind}`);
        });
      await world.control({ through });
    });
    afterAll(() => world.close());

    it("are one for each stamped object and one for the status", async () => {
      await world.apply(workloadYaml("counted", gitSource));
      await world.ready("counted");
      expect(requests.toSorted()).toEqual([
        "apply ConfigMap",
        "apply ConfigMap",
        "apply ConfigMap",
        "patch Workload",
      ]);
    });
  });

  describe("stamped objects whose writes fail", () => {
    let world: BlueprintWorld;
    let spoiled = 0;
    let isBroken = true;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(platform);
      const { settings } = world;
      const as: Cluster["as"] = (credentials) => {
        const http = new HttpTransport({ ...settings, credentials, impersonate: undefined });
        const renewing = new RenewingTransport(http, credentials);
        const faulty = new FaultyTransport(renewing, (_call, { method }) => {
          if (!isBroken || method !== "PATCH") return undefined;
          return spoiled++ % 2 === 0 ? "503" : "500 before";
        });
        return clusterOver(new RetryingTransport(faulty), { namespace: world.namespace });
      };
      await world.control({ through: (cluster) => ({ ...cluster, as }) });
    });
    afterAll(() => world.close());

    it("say why while they are tried again", async () => {
      await world.apply(workload("broken", {}));
      const found = await world.workload("broken", (object) =>
        JSON.stringify(object?.["status"] ?? {}).includes("the API server failed (50"),
      );
      expect(conditionOf(found, "Ready")).toBe("False");
      expect(spoiled).toBeLessThan(12);
      isBroken = false;
      await world.ready("broken");
    });
  });
}
