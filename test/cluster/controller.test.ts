import { describe, expect, inject, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { connectTo, fixedCredentials } from "../../src/cluster/index.ts";
import { bundleReconciler, installObjects } from "../../src/controller/index.ts";
import {
  bundle,
  bundleScenarios,
  isReady,
  settings,
  statesOf,
  web,
} from "../controller/bundle-scenarios.ts";
import { bundleWriterScenarios } from "../controller/bundle-writer-scenarios.ts";
import { ControllerWorld } from "../controller/controller-world.ts";
import { rotationScenarios } from "../controller/rotation-scenarios.ts";
import { settingsOf } from "./test-settings.ts";

describe("the controller on a real control plane", () => {
  bundleScenarios(() => inject("kubeconfig"));
  bundleWriterScenarios(() => inject("kubeconfig"));
  rotationScenarios(() => inject("kubeconfig"));

  it("stops writing an object that the server keeps changing, and names the field", async () => {
    const world = await ControllerWorld.open(inject("kubeconfig"), bundleDefinitions);
    const { namespace } = world;
    const name = `purple-${namespace}`;
    await world.apply(`
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps] }
  matchConditions:
    - { name: ours, expression: "object.metadata.namespace == '${namespace}' && has(object.data) && 'colour' in object.data" }
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: '[JSONPatch{op: "replace", path: "/data/colour", value: "purple"}]'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name} }
`);
    try {
      // A policy is in force a moment after it was made.
      for (let attempt = 0; ; attempt++) {
        const [made] = await world.apply(
          "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: probe }\ndata: { colour: red }\n",
          `probe-${attempt}`,
        );
        if (JSON.stringify(made?.["data"]).includes("purple")) break;
        expect(attempt).toBeLessThan(600);
      }
      await world.run([bundleReconciler({ namespace })]);
      await world.apply(bundle("painted", settings));
      const kind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
      const found = await world.until(kind, "painted", (object) =>
        statesOf(object).includes("settings=Error:TerminalError"),
      );
      expect(JSON.stringify(found?.["status"])).toContain(
        "the API server keeps changing data.colour of ConfigMap settings to something else",
      );
      await world.cluster.delete(world.reference(kind.apiVersion, kind.kind, "painted"));
      await world.until(kind, "painted", (object) => object === undefined);
    } finally {
      const group = "admissionregistration.k8s.io/v1";
      for (const kind of ["MutatingAdmissionPolicyBinding", "MutatingAdmissionPolicy"])
        await world.cluster.delete({ apiVersion: group, kind, name });
      await world.close();
    }
  });

  it("gets by with the rights that it installs, and says what these forbid", async () => {
    const world = await ControllerWorld.open(inject("kubeconfig"), bundleDefinitions);
    const { namespace } = world;
    const place = { namespace, image: "keelson:test", replicas: 0 };
    // The namespace is there, and its pods need not be as restricted as those of the controller.
    for (const object of installObjects(place).filter(({ kind }) => kind !== "Namespace"))
      await world.cluster.apply(object, { fieldManager: "test", force: true });
    const account = { namespace, name: "keelson-controller" };
    const { token } = await world.cluster.serviceAccountToken(account);
    const own = connectTo(
      {
        ...(await settingsOf(inject("kubeconfig"))),
        credentials: fixedCredentials({ authorization: `Bearer ${token}` }),
      },
      { namespace },
    );
    try {
      // Of all namespaces, as it is installed; only this one has bundles with these names.
      const running = await world.run([bundleReconciler()], own);
      const kind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
      await world.apply(bundle("allowed", settings, web));
      await world.until(kind, "allowed", isReady);
      const forbidden = `
  - name: lease
    spec:
      object: { apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: { name: mine }, spec: {} }`;
      await world.apply(bundle("forbidden", forbidden));
      const found = await world.until(kind, "forbidden", (object) =>
        statesOf(object).includes("lease=Error:RetriableError"),
      );
      expect(JSON.stringify(found?.["status"])).toContain("leases.coordination.k8s.io");
      for (const name of ["allowed", "forbidden"])
        await world.cluster.delete(world.reference(kind.apiVersion, kind.kind, name));
      await world.until(kind, "allowed", (object) => object === undefined);
      await running.stop();
    } finally {
      await own.close();
      await world.close();
    }
  });
});
