import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { ApiError, clusterOver } from "../../cluster/index.ts";
import {
  definitionVersion,
  definitionVersionAnnotation,
  ensureDefinition,
  groupDefinition,
  provisionedDefinition,
} from "../../inventory/index.ts";
import { fieldAt, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { openSandbox } from "../../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../sandbox/in-process-transport.ts";
import { controllerDefinitions } from "./install-objects.ts";

const definitions = [groupDefinition, provisionedDefinition, ...controllerDefinitions];

it("counts up with every change of a definition: clusters are updated only then", () => {
  const text = stringifyJson(definitions.map((definition) => definition["spec"] ?? null));
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  // When this fails: count definitionVersion up, and write the new digest down.
  expect([definitionVersion, digest]).toEqual([5, "e0294bb8c4304798"]);
});

describe("a definition of an older Keelson", () => {
  const [bundles] = controllerDefinitions as readonly [KubernetesObject];
  const { versions, ...spec } = bundles["spec"] as { readonly versions: readonly object[] };
  const older = {
    ...bundles,
    metadata: { ...bundles.metadata, annotations: { [definitionVersionAnnotation]: "3" } },
    spec: {
      ...spec,
      versions: versions.map((version) => ({
        ...version,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      })),
    },
  } as unknown as KubernetesObject;
  const reference = {
    apiVersion: bundles.apiVersion,
    kind: bundles.kind,
    name: bundles.metadata.name ?? "",
  };

  it("is brought up to date", async () => {
    const sandbox = openSandbox({ workloads: false });
    const cluster = clusterOver(new InProcessTransport(sandbox));
    await cluster.apply(older, { fieldManager: "keelson" });
    expect(await ensureDefinition(cluster, bundles)).toBe("current");
    const found = await cluster.find(reference);
    expect(found?.metadata.annotations).toMatchObject({
      [definitionVersionAnnotation]: String(definitionVersion),
    });
    expect(fieldAt(found, "spec", "versions", 0, "schema")).toEqual(
      fieldAt(bundles, "spec", "versions", 0, "schema"),
    );
    sandbox.close();
  });

  it("is used as it is by who may not change it, and said to be older", async () => {
    const sandbox = openSandbox({ workloads: false });
    const cluster = clusterOver(new InProcessTransport(sandbox));
    await cluster.apply(older, { fieldManager: "keelson" });
    await vi.waitFor(async () => {
      const resources = await cluster.refreshResources();
      expect(resources.preferred("smith.atlassian.com", "Bundle")).toBeDefined();
    }, 60_000);
    const refusal = new ApiError(
      { verb: "patch", resource: "customresourcedefinitions" },
      { code: 403, reason: "Forbidden", message: "no" },
    );
    const reader = { ...cluster, apply: () => Promise.reject(refusal) };
    expect(await ensureDefinition(reader, bundles)).toBe("older");
    sandbox.close();
  });

  it("of a newer Keelson stays", async () => {
    const sandbox = openSandbox({ workloads: false });
    const cluster = clusterOver(new InProcessTransport(sandbox));
    const annotations = { [definitionVersionAnnotation]: String(definitionVersion + 1) };
    await cluster.apply(
      { ...older, metadata: { ...older.metadata, annotations } },
      { fieldManager: "keelson" },
    );
    expect(await ensureDefinition(cluster, bundles)).toBe("newer");
    expect((await cluster.find(reference))?.metadata.annotations).toEqual(annotations);
    sandbox.close();
  });
});
