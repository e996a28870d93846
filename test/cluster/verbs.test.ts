import { describe, expect, it } from "vitest";
import { connectTo } from "../../src/cluster/index.ts";
import { fixedCredentials } from "../../src/cluster/credentials/credentials.ts";
import { configMap, configMapKind, failureOf, useTestCluster } from "./test-cluster.ts";

const warnings: string[] = [];
const test = useTestCluster({ onWarning: (warning) => warnings.push(warning) });

describe("writing", () => {
  it("creates, and says when it exists already", async () => {
    const created = await test.cluster.create(configMap("once", { a: "1" }));
    expect(created.metadata.namespace).toBe(test.namespace);
    expect(await failureOf(test.cluster.create(configMap("once", {})))).toContain(
      `error[cluster.already-exists]: cannot create configmaps ${test.namespace}/once: it exists already`,
    );
  });

  it("updates only the version that was read", async () => {
    const first = await test.cluster.create(configMap("versioned", { a: "1" }));
    await test.cluster.update({ ...first, data: { a: "2" } });
    expect(await failureOf(test.cluster.update({ ...first, data: { a: "3" } }))).toContain(
      `error[cluster.conflict]: cannot update configmaps ${test.namespace}/versioned: it was changed by somebody else in the meantime`,
    );
  });

  it("patches in three ways", async () => {
    await test.cluster.create(configMap("patched", { a: "1", b: "2" }));
    const reference = { ...configMapKind, name: "patched" };
    await test.cluster.patch(reference, "merge", { data: { a: null } });
    await test.cluster.patch(reference, "strategic", { data: { c: "3" } });
    const patch = [{ op: "replace", path: "/data/b", value: "two" }];
    const patched = await test.cluster.patch(reference, "json", patch);
    expect(patched["data"]).toEqual({ b: "two", c: "3" });
  });

  it("reports fields that the server does not know, as warnings", async () => {
    await test.cluster.create(
      { ...configMap("warned", {}), extra: 1 },
      {
        fieldValidation: "Warn",
      },
    );
    expect(warnings).toEqual(['unknown field "extra"']);
    expect(
      await failureOf(
        test.cluster.create(
          { ...configMap("strict", {}), extra: 1 },
          {
            fieldValidation: "Strict",
          },
        ),
      ),
    ).toContain("error[cluster.bad-request]");
  });

  it("keeps integers that no double can hold", async () => {
    const name = `big.${test.namespace}`;
    const lease = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: {
        containers: [{ name: "main", image: "example" }],
        securityContext: { runAsUser: 9007199254740993n },
      },
    };
    const failure = await failureOf(test.cluster.create(lease, { dryRun: true }));
    // The server does not allow so large an ID, and repeats the number that it received.
    expect(failure).toContain("9007199254740993");
  });
});

describe("deleting", () => {
  it("deletes only what the preconditions name", async () => {
    const { metadata } = await test.cluster.create(configMap("guarded", {}));
    const reference = { ...configMapKind, name: "guarded" };
    expect(await failureOf(test.cluster.delete(reference, { uid: "another" }))).toContain(
      "error[cluster.conflict]",
    );
    expect(await failureOf(test.cluster.delete(reference, { resourceVersion: "1" }))).toContain(
      "error[cluster.conflict]",
    );
    expect(
      await test.cluster.delete(reference, {
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      }),
    ).toBeUndefined();
    expect(await failureOf(test.cluster.get(reference))).toContain(
      `error[cluster.not-found]: cannot get configmaps ${test.namespace}/guarded: it does not exist`,
    );
  });

  it("gives back what stays because of a finalizer", async () => {
    const object = configMap("held", {});
    await test.cluster.create({
      ...object,
      metadata: { ...object.metadata, finalizers: ["example.com/hold"] },
    });
    const reference = { ...configMapKind, name: "held" };
    const left = await test.cluster.delete(reference, { propagationPolicy: "Foreground" });
    expect(left?.metadata.deletionTimestamp).toBeDefined();
    await test.cluster.patch(reference, "merge", { metadata: { finalizers: null } });
    expect(await test.cluster.find(reference)).toBeUndefined();
  });

  it("deletes what a selector matches", async () => {
    for (const name of ["left", "right"]) {
      const object = configMap(`side-${name}`, {});
      await test.cluster.create({
        ...object,
        metadata: { ...object.metadata, labels: { side: name } },
      });
    }
    await test.cluster.deleteCollection(configMapKind, {
      namespace: test.namespace,
      labelSelector: "side=left",
    });
    const { items } = await test.cluster.list(configMapKind, {
      namespace: test.namespace,
      labelSelector: "side",
    });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["side-right"]);
  });
});

describe("failures", () => {
  it("names verb, resource and user of what is forbidden", async () => {
    const impersonate = { user: "mallory", groups: ["guests"], extra: {} };
    const mallory = connectTo({ ...test.settings, impersonate }, { namespace: test.namespace });
    const failure = await failureOf(
      mallory.list({ apiVersion: "v1", kind: "Secret" }, { namespace: test.namespace }),
    );
    await mallory.close();
    expect(failure).toContain(
      `error[cluster.forbidden]: cannot list secrets in ${test.namespace}: the user may not list secrets in namespace ${test.namespace}`,
    );
    expect(failure).toContain('User "mallory" cannot list resource "secrets"');
    expect(failure).toContain(
      `hint: kubectl auth can-i list secrets --namespace ${test.namespace}`,
    );
  });

  it("says when the credentials are not accepted", async () => {
    const credentials = fixedCredentials({ authorization: "Bearer wrong" });
    const stranger = connectTo({ ...test.settings, credentials });
    expect(await failureOf(stranger.list(configMapKind))).toContain("error[cluster.unauthorized]");
    await stranger.close();
  });

  it("says when the namespace is missing", async () => {
    const object = configMap("lost", {});
    const work = test.cluster.create({
      ...object,
      metadata: { name: "lost", namespace: "nowhere" },
    });
    expect(await failureOf(work)).toContain("the namespace nowhere does not exist");
  });

  it("proposes a kind when one is not served", async () => {
    const failure = (apiVersion: string, kind: string) =>
      failureOf(test.cluster.list({ apiVersion, kind }));
    expect(await failure("extensions/v1beta1", "Deployment")).toBe(
      `error[cluster.unknown-kind]: the cluster does not serve Deployment in extensions/v1beta1
  hint: did you mean apps/v1 Deployment?`,
    );
    expect(await failure("v1", "ConfigMpa")).toContain("did you mean v1 ConfigMap?");
  });
});
