import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../../src/cluster/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Lie, LyingTransport } from "./lying-transport.ts";

const deployment = (policy: string, namespace = "default"): string =>
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      dnsPolicy: ${policy}
      containers: [{name: web, image: "web:1"}]
---
`;

const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n---\n";

const unwaited = {
  reconcileTimeoutMs: 5_000,
  pruneTimeoutMs: 5_000,
  propagationPolicy: "Background",
  waits: false,
  waitsForJobs: false,
} as const;

describe("an object that the rules here would refuse", () => {
  let world: FaultWorld;
  beforeEach(() => {
    world = new FaultWorld();
  });
  afterEach(() => {
    world.close();
  });

  /** A server whose rules are others than ours: it takes a policy that ours do not know. */
  function newerServer(): Cluster {
    const takes: Lie = ({ method, body, path }) => {
      if (method !== "PATCH" || !path.endsWith("/deployments/web")) return undefined;
      if (path.includes("/team/") && world.get("/namespaces", "", "team") === undefined)
        return undefined;
      const object = JSON.parse(body ?? "{}") as { readonly metadata: object };
      const metadata = { ...object.metadata, uid: "u", resourceVersion: "1", generation: 1 };
      return { status: 200, text: JSON.stringify({ ...object, metadata }) };
    };
    const transport = new LyingTransport(new InProcessTransport(world.sandbox), takes);
    const cluster = clusterOver(transport);
    world.adopt(cluster);
    return cluster;
  }

  it("is applied when the server takes it", async () => {
    const run = await world.applyOrFail(newerServer(), deployment("Sometimes"), {
      write: unwaited,
    });
    expect(run).toMatchObject({ hasFailures: false, counts: { apply: { successful: 1 } } });
  });

  it("is applied with its namespace when the server takes it elsewhere", async () => {
    const run = await world.applyOrFail(
      newerServer(),
      namespace + deployment("Sometimes", "team"),
      {
        write: unwaited,
      },
    );
    expect(run).toMatchObject({ hasFailures: false, counts: { apply: { successful: 2 } } });
  });

  it.each(["default", "team"])("is refused when the server does so, in %s", async (place) => {
    const { cluster } = world.client();
    const text = namespace + deployment("Sometimes", place);
    await expect(world.applyOrFail(cluster, text)).rejects.toMatchObject({
      diagnostics: [
        {
          code: "schema.invalid-object",
          summary: expect.stringContaining("spec.template.spec.dnsPolicy: Unsupported value"),
          source: { start: { line: 14 } },
        },
      ],
    });
    expect(world.owned()).toEqual([]);
    expect(world.get("/namespaces", "", "team")).toBeUndefined();
  });
});
