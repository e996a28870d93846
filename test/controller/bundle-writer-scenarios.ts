/** What protects, keeps, replaces, takes over and records on the command line does so for bundles. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerHistories } from "../../src/cli/commands/live/owner-histories.ts";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { emptyInventory, readHistory } from "../../src/inventory/index.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { bundle, isReady, messageOf, settings, statesOf } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
const configMapKind = { apiVersion: "v1", kind: "ConfigMap" };

/** A ConfigMap as a resource of the same name. */
function configMap(name: string, annotation = "", more = ""): string {
  return settings
    .replaceAll("settings", name)
    .replace(`{ name: ${name} }`, `{ name: ${name}, annotations: { ${annotation} } }${more}`);
}

/** The same resource, made after another one. */
function after(dependency: string, resource: string): string {
  return resource.replace("\n    spec:", `\n    dependsOn: [${dependency}]\n    spec:`);
}

export function bundleWriterScenarios(kubeconfig: () => string | undefined): void {
  describe("objects of bundles", () => {
    let world: ControllerWorld;
    beforeAll(async () => {
      world = await ControllerWorld.open(kubeconfig(), bundleDefinitions);
      await world.run([bundleReconciler({ namespace: world.namespace })]);
    });
    afterAll(async () => {
      await world.close();
    });
    const untilReady = (name: string): Promise<KubernetesObject | undefined> =>
      world.until(bundleKind, name, isReady);
    const remove = async (name: string): Promise<void> => {
      await world.cluster.delete(world.reference(bundleKind.apiVersion, "Bundle", name));
      await world.until(bundleKind, name, (object) => object === undefined);
    };
    const find = (name: string): Promise<KubernetesObject | undefined> =>
      world.find("v1", "ConfigMap", name);

    it("stay when they are protected, and the status says so", async () => {
      const kept = configMap("p-kept", 'keelson.dev/protect: "true"');
      await world.apply(bundle("protecting", configMap("p-base"), after("p-base", kept)));
      await untilReady("protecting");
      await world.apply(bundle("protecting", configMap("p-other")));
      const found = await world.until(
        bundleKind,
        "protecting",
        (object) => isReady(object) && messageOf(object, "Ready").includes("protected"),
      );
      expect(messageOf(found, "Ready")).toContain(
        "ConfigMap p-kept stays: it is protected; take the protection away first, with an apply of its own",
      );
      expect(fieldAt(found, "status", "objectsToDelete")).toMatchObject([
        {
          kind: "ConfigMap",
          name: "p-base",
          reason: "InUse",
          message: "ConfigMap p-kept, which stays, depends on it",
        },
        { kind: "ConfigMap", name: "p-kept", reason: "Protected" },
      ]);
      expect(await find("p-kept")).toBeDefined();
      expect(await find("p-base")).toBeDefined();
      // The protection is taken away where it was set: on the object itself.
      await world.cluster.patch(world.reference("v1", "ConfigMap", "p-kept"), "merge", {
        metadata: { annotations: { "keelson.dev/protect": null } },
      });
      await world.until(configMapKind, "p-kept", (object) => object === undefined);
      await world.until(configMapKind, "p-base", (object) => object === undefined);
      await untilReady("protecting");
    });

    it("stay when their bundle is deleted, and are nobody's then", async () => {
      const kept = configMap("d-kept", 'keelson.dev/protect: "true"');
      await world.apply(
        bundle("deleted", configMap("d-base"), after("d-base", kept), configMap("d-free")),
      );
      await untilReady("deleted");
      await remove("deleted");
      expect(await find("d-free")).toBeUndefined();
      for (const name of ["d-kept", "d-base"]) {
        const found = await find(name);
        expect(found?.metadata.ownerReferences ?? []).toEqual([]);
        expect(found?.metadata.labels?.["keelson.dev/bundle"]).toBeUndefined();
        expect(found?.["data"]).toEqual({ colour: "red", port: "8080" });
      }
    });

    it.each([
      ["on-remove", "cli-utils.sigs.k8s.io/on-remove: keep"],
      ["detach", "client.lifecycle.config.k8s.io/deletion: detach"],
    ])("are kept and released when their annotation asks for it: %s", async (id, annotation) => {
      const left = configMap(`${id}-left`, annotation);
      const last = configMap(`${id}-last`, annotation);
      await world.apply(bundle(id, left, last));
      await untilReady(id);
      await world.apply(bundle(id, last));
      const isReleased = (object: KubernetesObject | undefined): boolean =>
        object?.metadata.labels?.["keelson.dev/bundle"] === undefined;
      const released = await world.until(configMapKind, `${id}-left`, isReleased);
      expect(released?.metadata.ownerReferences ?? []).toEqual([]);
      const ready = await untilReady(id);
      expect(JSON.stringify(ready?.["status"])).not.toContain(`"${id}-left"`);
      await remove(id);
      const stayed = await find(`${id}-last`);
      expect(stayed?.metadata.ownerReferences ?? []).toEqual([]);
      expect(stayed?.["data"]).toEqual({ colour: "red", port: "8080" });
    });

    it("are made anew where a field cannot change and their annotation asks for it", async () => {
      const fixed = "\n        immutable: true";
      const annotation = "keelson.dev/on-immutable: recreate";
      await world.apply(
        bundle(
          "fixed",
          configMap("f-anew", annotation, fixed),
          configMap("f-stuck", "keelson.dev/none: x", fixed),
        ),
      );
      await untilReady("fixed");
      const before = await find("f-anew");
      const changed = (resource: string): string => resource.replace("red", "blue");
      await world.apply(
        bundle(
          "fixed",
          changed(configMap("f-anew", annotation, fixed)),
          changed(configMap("f-stuck", "keelson.dev/none: x", fixed)),
        ),
      );
      const made = await world.until(
        configMapKind,
        "f-anew",
        (object) => fieldAt(object, "data", "colour") === "blue",
      );
      expect(made?.metadata.uid).not.toBe(before?.metadata.uid);
      const found = await world.until(
        bundleKind,
        "fixed",
        (object) =>
          statesOf(object).join(" ") ===
          "Error:TerminalError f-anew=Ready f-stuck=Error:TerminalError",
      );
      const said = messageOf(found, "Error");
      expect(said).toMatch(/f-stuck: .*data: .*immutable/);
      expect(said).toContain(
        "if the field cannot be changed, the annotation keelson.dev/on-immutable: recreate lets it be made anew",
      );
      expect(fieldAt(await find("f-stuck"), "data", "colour")).toBe("red");
    });

    it("are taken over from client-side kubectl apply", async () => {
      await world.apply(bundle("taking", configMap("t-taken")));
      await untilReady("taking");
      await world.cluster.patch(
        world.reference("v1", "ConfigMap", "t-taken"),
        "merge",
        { data: { colour: "green", extra: "1" } },
        { fieldManager: "kubectl-client-side-apply" },
      );
      const taken = await world.until(
        configMapKind,
        "t-taken",
        (object) =>
          fieldAt(object, "data", "colour") === "red" &&
          fieldAt(object, "data", "extra") === undefined,
      );
      const managers = taken?.metadata.managedFields?.map(({ manager }) => manager);
      expect(managers).toEqual(["keelson-bundles"]);
    });

    it("have a history: what the controller created, changed, replaced and pruned", async () => {
      const actions = (object: KubernetesObject | undefined): readonly string[] =>
        readHistory(JSON.stringify(fieldAt(object, "status", "history") ?? [])).map(
          ({ command, by, objects }) =>
            [command, by, ...objects.map(({ key, action }) => `${action} ${key}`)].join(" "),
        );
      await world.apply(bundle("past", configMap("h-one"), configMap("h-two")));
      const key = (name: string): string => `/ConfigMap/${world.namespace}/${name}`;
      const created = await untilReady("past");
      expect(actions(created)).toEqual([
        `controller keelson-bundles created ${key("h-one")} created ${key("h-two")}`,
      ]);
      await world.apply(bundle("past", configMap("h-one").replace("red", "blue")));
      const changed = await world.until(
        bundleKind,
        "past",
        (object) => isReady(object) && actions(object).join().includes("pruned"),
      );
      expect(actions(changed).join("\n")).toContain(`changed ${key("h-one")}`);
      expect(actions(changed).join("\n")).toContain(`pruned ${key("h-two")}`);
      const fields = readHistory(
        JSON.stringify(fieldAt(changed, "status", "history") ?? []),
      ).flatMap(({ objects }) => objects.flatMap((object) => object.fields ?? []));
      expect(fields).toEqual([".data.colour"]);
      // `status --history` of an inventory with this bundle shows it, too.
      const { namespace } = world;
      const group = { name: "all", namespace, id: "all", source: "test" };
      const entry = { group: "smith.atlassian.com", kind: "Bundle", namespace, name: "past" };
      const inventory = {
        ...emptyInventory(group),
        parts: [{ name: "all", uid: "", resourceVersion: "", entries: [entry] }],
      };
      expect(await ownerHistories(world.cluster, inventory)).toEqual(
        fieldAt(changed, "status", "history"),
      );
      // Nothing happens, nothing is told.
      const again = await world.get(bundleKind.apiVersion, "Bundle", "past");
      expect(objectsIn(fieldAt(again, "status", "history")).length).toBe(actions(changed).length);
    });

    it("show no secret in what the server says of them", async () => {
      const group = `secret.${world.namespace}.example.com`;
      await world.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: bindings.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: Binding, plural: bindings, singular: binding, listKind: BindingList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: v1
kind: Secret
metadata: { name: s-secret }
stringData: { label: "hunter2 no label" }
`);
      await world.apply(
        bundle(
          "secretive",
          `
  - name: binding
    spec:
      object: { apiVersion: ${group}/v1, kind: Binding, metadata: { name: s-binding }, spec: { secretName: s-secret } }
  - name: user
    references: [{ name: label, resource: binding, modifier: bindsecret, path: data.label }]
    spec:
      object: { apiVersion: v1, kind: ConfigMap, metadata: { name: s-user, labels: { secret: "!{label}" } } }`,
        ),
      );
      const found = await world.until(bundleKind, "secretive", (object) =>
        statesOf(object).includes("user=Error:TerminalError"),
      );
      expect(messageOf(found, "Error")).toMatch(/metadata\.labels: .*\*\*\*/);
      expect(JSON.stringify(found?.["status"])).not.toContain("hunter2");
    });
  });
}
