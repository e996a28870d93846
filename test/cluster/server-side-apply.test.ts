import { describe, expect, it } from "vitest";
import { ApiError } from "../../src/cluster/index.ts";
import { configMap, configMapKind, failureOf, useTestCluster } from "./test-cluster.ts";

const test = useTestCluster();

describe("server-side apply", () => {
  it("applies 1,000 objects at once, and changes nothing when they are applied again", async () => {
    const objects = Array.from({ length: 1000 }, (_, index) =>
      configMap(`many-${index}`, { index: String(index) }),
    );
    const applyAll = () =>
      Promise.all(objects.map((object) => test.cluster.apply(object, { fieldManager: "test" })));

    const first = await applyAll();
    const second = await applyAll();

    expect(first.filter(({ created }) => created)).toHaveLength(1000);
    expect(second.filter(({ created }) => created)).toHaveLength(0);
    expect(second.map(({ object }) => object.metadata.resourceVersion)).toEqual(
      first.map(({ object }) => object.metadata.resourceVersion),
    );
  });

  it("names field and manager of a conflict, and takes fields over by force", async () => {
    await test.cluster.apply(configMap("shared", { color: "red", size: "1" }), {
      fieldManager: "alice",
    });
    const theirs = configMap("shared", { color: "blue", size: "2" });

    expect(await failureOf(test.cluster.apply(theirs, { fieldManager: "bob" }))).toBe(
      `error[cluster.conflict]: cannot patch configmaps ${test.namespace}/shared: 2 fields are owned by other field managers
  .data.color: conflict with "alice"
  .data.size: conflict with "alice"
  hint: take the fields over by force, or leave them out of the configuration`,
    );
    const { object } = await test.cluster.apply(theirs, { fieldManager: "bob", force: true });
    expect(object["data"]).toEqual({ color: "blue", size: "2" });
  });

  it("only creates when asked to: an object that exists is a conflict and stays as it is", async () => {
    const made = configMap("made-once", { color: "red" });
    const options = { fieldManager: "alice", force: true, createOnly: true };
    expect(await test.cluster.apply(made, options)).toMatchObject({ created: true });
    const again = test.cluster.apply(configMap("made-once", { color: "blue" }), options);
    await expect(again).rejects.toMatchObject({ reason: "Conflict" });
    const found = await test.cluster.get({ ...configMapKind, name: "made-once" });
    expect(found["data"]).toEqual({ color: "red" });
  });

  it("stores nothing in a dry run", async () => {
    const { object, created } = await test.cluster.apply(configMap("dry", { a: "b" }), {
      fieldManager: "test",
      dryRun: true,
    });
    expect({ created, data: object["data"] }).toEqual({ created: true, data: { a: "b" } });
    expect(await test.cluster.find({ ...configMapKind, name: "dry" })).toBeUndefined();
  });

  it("names the fields that are not valid", async () => {
    const work = test.cluster.apply(configMap("Not_Valid", {}), { fieldManager: "test" });
    const error = await work.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApiError);
    const text = await failureOf(Promise.reject(error));
    expect(text).toContain(
      `error[cluster.invalid]: cannot patch configmaps ${test.namespace}/Not_Valid: 1 field is not valid`,
    );
    expect(text).toContain("metadata.name: Invalid value");
    expect((error as ApiError).toDiagnostic("ConfigMap Not_Valid").subject).toBe(
      "ConfigMap Not_Valid",
    );
  });

  it("writes subresources", async () => {
    await test.cluster.apply(
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "scaled" },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: "scaled" } },
          template: {
            metadata: { labels: { app: "scaled" } },
            spec: { containers: [{ name: "main", image: "example" }] },
          },
        },
      },
      { fieldManager: "test" },
    );
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", name: "scaled" };
    await test.cluster.patch(
      deployment,
      "merge",
      { spec: { replicas: 2 } },
      { subresource: "scale" },
    );
    const scale = await test.cluster.get(deployment, { subresource: "scale" });
    expect({ kind: scale.kind, spec: scale["spec"] }).toEqual({
      kind: "Scale",
      spec: { replicas: 2 },
    });

    const { object } = await test.cluster.apply(
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: test.namespace },
        status: {
          conditions: [
            { type: "Tested", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
          ],
        },
      },
      { fieldManager: "test", subresource: "status" },
    );
    expect(JSON.stringify(object["status"])).toContain("Tested");
  });
});
