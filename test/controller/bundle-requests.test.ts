import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { measuredCluster } from "../../src/controller/runtime/measured-cluster.ts";
import { bundle, isReady, settings } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };

let world: ControllerWorld;
const requests: string[] = [];
beforeAll(async () => {
  world = await ControllerWorld.open(undefined, bundleDefinitions);
  const counted = measuredCluster(world.cluster, (verb, kind) => {
    // The Lease is renewed and kinds are watched however many bundles there are.
    if (kind !== "Lease" && verb !== "watch") requests.push(`${verb} ${kind}`);
  });
  await world.run([bundleReconciler({ namespace: world.namespace })], counted);
});
afterAll(async () => {
  await world.close();
});

it("takes one request for each object of a bundle, and three for the bundle itself", async () => {
  const chain = Array.from({ length: 5 }, (_none, index) =>
    settings
      .replaceAll("settings", `r${index}`)
      .replace("\n    spec:", index === 0 ? "$&" : `\n    dependsOn: [r${index - 1}]$&`),
  );
  requests.length = 0;
  await world.apply(bundle("counted", ...chain));
  await world.until(bundleKind, "counted", isReady);
  await expect.poll(() => requests.length).toBe(8);
  expect(requests.toSorted()).toEqual([
    "apply ConfigMap",
    "apply ConfigMap",
    "apply ConfigMap",
    "apply ConfigMap",
    "apply ConfigMap",
    "create Event",
    "patch Bundle",
    "patch Bundle",
  ]);
});

it("reads nothing and writes nothing when nothing has changed", async () => {
  await world.apply(bundle("still", settings));
  await world.until(bundleKind, "still", isReady);
  const [before] = (await world.cluster.list(bundleKind)).items.filter(
    ({ metadata }) => metadata.name === "still",
  );
  const count = requests.length;
  // A label that says nothing makes the controller look at it again.
  await world.cluster.patch(world.reference(bundleKind.apiVersion, "Bundle", "still"), "merge", {
    metadata: { labels: { looked: "again" } },
  });
  await world.apply(bundle("after", settings.replaceAll("settings", "after")));
  await world.until(bundleKind, "after", isReady);
  await expect.poll(() => requests.length - count).toBe(4);
  const after = await world.get(bundleKind.apiVersion, "Bundle", "still");
  expect(after["status"]).toEqual(before?.["status"]);
});
