import { expect, it } from "vitest";
import { clusterOver } from "../../src/cluster/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import type { Part } from "../contract/parts.ts";
import { testSeed } from "../test-seed.ts";
import { desiredOf, type SourceName, sources } from "./desired-sources.ts";
import { FaultWorld } from "./fault-world.ts";
import { Chance, Machine, Network, Timeline } from "./simulation.ts";

const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const hourMs = 3_600_000;
const schedules = 1_000;

interface Run {
  readonly holder: string;
  readonly wanted: readonly string[];
  isDone: boolean;
}

/** Some objects, of which some wait for others, and some take values of others. */
function someParts(chance: Chance): readonly Part[] {
  const chosen = chance.some(names);
  return chosen.map((name, index) => {
    const before = chosen[chance.between(0, index - 1)];
    const data = { value: String(chance.between(0, 1)), taken: "" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
    if (index === 0 || before === undefined || chance.isOnceIn(2)) return { name, object };
    return chance.isOnceIn(2)
      ? { name, object, after: [before] }
      : { name, object, takes: { from: before, path: "data.value", into: "data.taken" } };
  });
}

/** Two or three machines apply and destroy the same inventory, as one seed has it. */
async function play(seed: number): Promise<void> {
  const chance = new Chance(seed);
  const source: SourceName = sources[seed % sources.length] ?? "yaml";
  const time = new Timeline();
  const world = new FaultWorld();
  const runs: Run[] = [];
  const holders: string[] = [];
  world.sandbox.context.store.subscribe(({ resource, stored }) => {
    if (resource !== "coordination.k8s.io/leases") return;
    const { holderIdentity = "" } = (stored.object["spec"] ?? {}) as { holderIdentity?: string };
    if (holders.at(-1) !== holderIdentity) holders.push(holderIdentity);
  });
  const honest = world.client().cluster;
  const liesOnceIn = seed % 4 === 0 ? 40 : Number.POSITIVE_INFINITY;
  const machines = Array.from({ length: chance.between(2, 3) }, (_, index) => {
    const skewMs = [0, 60_000, -60_000, hourMs, -hourMs][chance.between(0, 4)] ?? 0;
    const machine = new Machine(time, skewMs);
    const inner = new InProcessTransport(world.sandbox);
    const network = new Network({ inner, time, machine, chance, liesOnceIn });
    const cluster = clusterOver(network, { timing: machine.timing });
    world.adopt(cluster);
    return { machine, cluster, name: `m${index}`, isKilled: chance.isOnceIn(5) };
  });
  const work = machines.map(async ({ machine, cluster, name, isKilled }) => {
    for (let number = 0, most = chance.between(1, 3); number < most; number++) {
      await time.wait(chance.between(0, 60_000));
      for (let stop = 0, stops = chance.between(0, 2); stop < stops; stop++)
        time.at(chance.between(0, 20_000), () => {
          machine.stop(chance.between(1_000, 120_000), chance.isOnceIn(2));
        });
      const killed = Promise.withResolvers<"killed">();
      if (isKilled && number === most - 1)
        time.at(chance.between(0, 10_000), () => {
          machine.kill();
          killed.resolve("killed");
        });
      const holder = `${name}-${number}`;
      const options = { holder, leaseWaitMs: hourMs, clock: machine.clock };
      const parts = chance.isOnceIn(6) ? [] : someParts(chance);
      const run: Run = { holder, wanted: parts.map((part) => part.name), isDone: false };
      runs.push(run);
      const applying = async (): ReturnType<FaultWorld["apply"]> => {
        if (parts.length === 0) return world.destroy(cluster, hourMs, options);
        const { desired, close } = await time.outside(desiredOf(source, parts, honest));
        const ended = await world.apply(cluster, "", { ...options, desired, timeoutMs: hourMs });
        await close();
        return ended;
      };
      const ended = await Promise.race([applying(), killed.promise]);
      if (ended === "killed") return;
      run.isDone = ended !== undefined && !ended.hasFailures && !ended.hasRefusals;
    }
  });
  await time.until(Promise.all(work));
  const last = runs.find(({ holder }) => holder === holders.at(-1));
  const [a] = names;
  const { desired, close } = await desiredOf(
    source,
    [
      {
        name: a ?? "",
        object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: a ?? "" } },
      },
    ],
    honest,
  );
  const owned = world.owned();
  world.removeLease();
  const finished = await world.apply(honest, "", { desired });
  await close();
  expect({
    violations: world.violations,
    // Whoever ended well, with nobody after it, has left just what it was to leave.
    left: last?.isDone === true ? owned : undefined,
    finished: finished?.hasFailures,
    owned: world.owned(),
    inventory: world.inventory(),
  }).toEqual({
    violations: [],
    left:
      last?.isDone === true
        ? last.wanted.map((name) => `/ConfigMap/default/${name}`).sort()
        : undefined,
    finished: false,
    owned: ["/ConfigMap/default/a"],
    inventory: ["/ConfigMap/default/a"],
  });
  world.close();
}

it(`${schedules} schedules of several writers lose nothing`, { timeout: 900_000 }, async () => {
  const first = (testSeed - 1) * schedules;
  // One of them again: KEELSON_SCHEDULE=17 npm test -- test/faults/writers.test.ts
  const only = process.env["KEELSON_SCHEDULE"];
  const all =
    only === undefined
      ? Array.from({ length: schedules }, (_, index) => first + index)
      : [Number(only)];
  for (const seed of all)
    await play(seed).catch((error: unknown) => {
      throw new Error(`schedule ${seed}: KEELSON_SCHEDULE=${seed} plays it again`, {
        cause: error,
      });
    });
});
