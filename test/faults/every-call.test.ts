import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { FaultWorld } from "./fault-world.ts";
import { type Fault, faults } from "./faulty-transport.ts";
import { after, afterKeys, before } from "./packages.ts";

const foreign: readonly KubernetesObject[] = [
  map("default", "nobodys", {}),
  map("default", "others", { "config.k8s.io/owning-inventory": "other" }),
];

function map(
  namespace: string,
  name: string,
  annotations: Readonly<Record<string, string>>,
): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, annotations } };
}

type Operation = "create" | "update" | "destroy";

/** A world in which the operation is about to happen. */
async function worldBefore(operation: Operation): Promise<FaultWorld> {
  const world = new FaultWorld();
  const { cluster } = world.client();
  for (const object of foreign) await cluster.create(object);
  if (operation !== "create")
    expect(await world.apply(cluster, before)).toMatchObject({ hasFailures: false });
  return world;
}

function run(
  world: FaultWorld,
  operation: Operation,
  client: ReturnType<FaultWorld["client"]>,
): Promise<unknown> {
  return operation === "destroy"
    ? world.destroy(client.cluster, 1_000)
    : world.apply(client.cluster, after, { timeoutMs: 1_000 });
}

/** One more run without faults reaches the goal, and a third finds nothing to do. */
async function converges(world: FaultWorld, operation: Operation): Promise<void> {
  world.removeLease();
  const { cluster } = world.client();
  if (operation === "destroy") {
    expect(await world.destroy(cluster)).toMatchObject({ hasFailures: false, hasRefusals: false });
    expect(world.inventory()).toEqual([]);
    expect(world.owned()).toEqual([]);
  } else {
    expect(await world.apply(cluster, after)).toMatchObject({
      hasFailures: false,
      hasRefusals: false,
    });
    expect(world.owned()).toEqual(afterKeys);
    expect(world.inventory()).toEqual(afterKeys);
    expect(world.notReady()).toEqual([]);
    const versions = world.versions();
    const again = await world.apply(cluster, after);
    expect(again?.counts.apply).toMatchObject({
      unchanged: afterKeys.length,
      successful: afterKeys.length,
    });
    expect(world.versions()).toEqual(versions);
  }
  expect(world.violations).toEqual([]);
  for (const { metadata } of foreign)
    expect(
      world.get("/configmaps", "default", metadata.name ?? "")?.metadata.annotations ?? {},
    ).toEqual(metadata.annotations);
}

async function callsOf(operation: Operation): Promise<number> {
  const world = await worldBefore(operation);
  try {
    const client = world.client();
    await run(world, operation, client);
    return client.calls.length;
  } finally {
    world.close();
  }
}

/** Faults that the server never saw, those that it did, and answers that are cut off. */
const classes: readonly (readonly Fault[])[] = [
  ["drop before", "429", "500 before", "503", "409", "410", "timeout"],
  ["drop after", "500 after"],
  ["half", "delay"],
];

/** One fault of each class at each call, all of them with KEELSON_FAULTS=all, which takes minutes. */
function faultsAt(call: number): readonly Fault[] {
  if (process.env["KEELSON_FAULTS"] === "all") return faults;
  return classes.flatMap((own) => own[call % own.length] ?? []);
}

describe("a run that is spoiled at one call", () => {
  it.each(["create", "update", "destroy"] as const)(
    "%s, at every call in turn",
    { timeout: 600_000 },
    async (operation) => {
      const calls = await callsOf(operation);
      expect(calls).toBeGreaterThan(10);
      for (let spoiled = 0; spoiled < calls; spoiled++)
        for (const fault of faultsAt(spoiled)) await spoilOne(operation, spoiled, fault);
    },
  );
});

async function spoilOne(operation: Operation, spoiled: number, fault: Fault): Promise<void> {
  const world = await worldBefore(operation);
  try {
    const client = world.client((call) => (call === spoiled ? fault : undefined));
    await run(world, operation, client);
    await converges(world, operation);
  } catch (error) {
    throw new Error(`${operation}: ${fault} at call ${spoiled}`, { cause: error });
  } finally {
    world.close();
  }
}
