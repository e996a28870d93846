import { afterEach, beforeEach, expect, it } from "vitest";
import { type Cluster, clusterOver, type ClusterView } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { type OutsideObjects, OutsideWatches } from "./outside-objects.ts";

const kind = { apiVersion: "v1", kind: "ConfigMap" };

let sandbox: Sandbox;
let cluster: Cluster;
let watches: OutsideWatches;
/** Whom something was told to, in order. */
let told: string[];
/** How many use a watch. */
let users: number;
beforeEach(() => {
  sandbox = openSandbox({});
  cluster = clusterOver(new InProcessTransport(sandbox), { namespace: "default" });
  told = [];
  users = 0;
  const use: ClusterView["use"] = (...wanted) => {
    const objects = cluster.view.use(...wanted);
    users++;
    const release = objects.release.bind(objects);
    objects.release = () => {
      users--;
      release();
    };
    return objects;
  };
  const counted = { use } as unknown as ClusterView;
  watches = new OutsideWatches(counted, undefined, (user) => told.push(user));
});
afterEach(async () => {
  await cluster.close();
  sandbox.close();
});

function named(name: string, ...seen: readonly KubernetesObject[]): OutsideObjects {
  return { ...kind, which: name, concerns: ({ metadata }) => metadata.name === name, seen };
}

const create = (name: string): Promise<KubernetesObject> =>
  cluster.create({ ...kind, metadata: { name } });

it("tells whoever waits for an object when it goes, and nobody else", async () => {
  const taken = await create("taken");
  const other = await create("other");
  watches.set("a", [named("taken", taken)]);
  watches.set("b", [named("other", other)]);
  await cluster.delete({ ...kind, name: "taken" });
  await expect.poll(() => told).toEqual(["a"]);
});

it("tells of what changed between the reading and the watch", async () => {
  const taken = await create("taken");
  await cluster.delete({ ...kind, name: "taken" });
  watches.set("a", [named("taken", taken)]);
  await expect.poll(() => told).toEqual(["a"]);
});

it("tells when an object comes that was missing", async () => {
  watches.set("a", [named("late")]);
  await create("late");
  await expect.poll(() => told.includes("a")).toBe(true);
});

it("watches a kind once, and only as long as somebody waits", async () => {
  watches.set("a", [named("one")]);
  watches.set("b", [named("two")]);
  expect(users).toBe(1);
  watches.set("a", []);
  expect(users).toBe(1);
  watches.set("b", []);
  expect(users).toBe(0);
  await create("one");
  expect(told).toEqual([]);
});

it("lets go of a kind that cannot be watched", async () => {
  watches.set("a", [{ ...named("one"), apiVersion: "nowhere.example.com/v1" }]);
  await expect.poll(() => users).toBe(0);
});
