/** A bundle forgets none of its objects because the API server does not serve their kind for a moment. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import {
  type Cluster,
  clusterOver,
  type Credentials,
  isUnserved,
  type Transport,
} from "../../src/cluster/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { requireKindGone } from "../../src/observe/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { hideGroup, LyingTransport } from "../faults/lying-transport.ts";
import { patienceMs } from "../patience.ts";
import { bundle, isReady, settings, web } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
const whole = bundle("hidden", settings, web);
const withoutWeb = bundle("hidden", settings);

let world: ControllerWorld;
beforeAll(async () => {
  world = await ControllerWorld.open(undefined, bundleDefinitions);
});
afterAll(async () => {
  await world.close();
});

function misled(group: string): Cluster {
  const { namespace, sandbox } = world;
  if (sandbox === undefined) throw new Error("there is no sandbox");
  const lying = (credentials?: Credentials): Transport =>
    new LyingTransport(new InProcessTransport(sandbox, credentials), hideGroup(group));
  return clusterOver(lying(), {
    namespace,
    as: (credentials) => clusterOver(lying(credentials), { namespace }),
  });
}

/** Runs a controller that is told that there are no Deployments, until it has tried something. */
async function tryWithoutDeployments(change: () => Promise<unknown>): Promise<void> {
  const cluster = misled("apps");
  const running = await world.run([bundleReconciler({ namespace: world.namespace })], cluster);
  await change();
  await expect
    .poll(() => running.lines.some((line) => line.includes("does not serve Deployment")), {
      timeout: patienceMs,
    })
    .toBe(true);
  await running.stop();
  await cluster.view.close();
}

async function runHonestly(until: () => Promise<unknown>): Promise<void> {
  const running = await world.run([bundleReconciler({ namespace: world.namespace })]);
  await until();
  await running.stop();
}

const deployment = (): Promise<unknown> => world.find("apps/v1", "Deployment", "web");

it("what left a bundle is deleted when its kind is served again", async () => {
  await runHonestly(async () => {
    await world.apply(whole);
    await world.until(bundleKind, "hidden", isReady);
  });
  await tryWithoutDeployments(() => world.apply(withoutWeb));
  expect(await deployment()).toBeDefined();
  await runHonestly(async () => {
    await expect.poll(deployment, { timeout: patienceMs }).toBeUndefined();
  });
});

it("a bundle that is deleted stays until all its objects are gone", async () => {
  await runHonestly(async () => {
    await world.apply(whole);
    await world.until(bundleKind, "hidden", isReady);
  });
  const own = world.reference(bundleKind.apiVersion, bundleKind.kind, "hidden");
  await tryWithoutDeployments(() => world.cluster.delete(own));
  expect(await world.cluster.find(own)).toBeDefined();
  await runHonestly(async () => {
    await expect.poll(() => world.cluster.find(own), { timeout: patienceMs }).toBeUndefined();
  });
  expect(await deployment()).toBeUndefined();
});

it("only a kind that nothing serves and nothing defines is gone", async () => {
  const cluster = misled("apps");
  const isGone = (apiVersion: string, kind: string): Promise<boolean> =>
    requireKindGone(cluster, { apiVersion, kind }).then(
      () => true,
      (error: unknown) => !isUnserved(error),
    );
  expect(await isGone("apps/v1", "Deployment")).toBe(false);
  expect(await isGone("v1", "Pod")).toBe(false);
  expect(await isGone("example.com/v1", "Never")).toBe(true);
  const hidden = misled(bundleKind.apiVersion.split("/")[0] ?? "");
  await expect(requireKindGone(hidden, bundleKind)).rejects.toThrow("does not serve Bundle");
});
