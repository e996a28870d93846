/** Two or three machines apply and destroy the same inventory, as one seed has it. */
import type { GroupRun } from "../../../src/apply/index.ts";
import { clusterOver } from "../../../src/cluster/index.ts";
import { DiagnosticError } from "../../../src/diagnostics/index.ts";
import { systemClock } from "../../../src/sandbox/clock.ts";
import { seededRandom } from "../../../src/sandbox/random.ts";
import { FaultWorld } from "../fault-world.ts";
import { breakServer } from "./break-server.ts";
import { Chance } from "./chance.ts";
import { Cloud, thingName } from "./cloud.ts";
import { Disk } from "./disk.ts";
import { KeptDiscovery } from "./kept-discovery.ts";
import { Machine } from "./machine.ts";
import { Network } from "./network.ts";
import { desiredOf, type Language, type Sources, type State } from "./sources.ts";
import { Timeline } from "./timeline.ts";

const hourMs = 3_600_000;

/** What only the holder of the Lease may write. */
const ofHolder = /\/(?:configmaps|provisioneds|resourcegroups)(?:\/|$)/;

interface Run {
  readonly holder: string;
  readonly state: State | undefined;
  isDone: boolean;
}

/** How it was at the end, and how it should be. */
export interface Played {
  /** What was written when: the same for the same seed. */
  readonly trace: readonly string[];
  readonly found: object;
  readonly expected: object;
}

export function playWriters(seed: number, language: Language, sources: Sources): Promise<Played> {
  const time = new Timeline();
  const chance = new Chance(seed);
  return time.run(chance.next, () => play(seed, chance, time, language, sources));
}

/** Loads, in real time, what is loaded when it is first needed: a schedule knows no files. */
export async function warmUp(language: Language, sources: Sources): Promise<void> {
  const world = new FaultWorld();
  const { cluster } = world.client();
  const time = new Timeline();
  const providers = new Cloud(time, new Chance(0)).providers();
  const states = sources.states(language);
  // There and back, and once more with nothing to do.
  for (const state of [...states, smallest(states), smallest(states)]) {
    const desired = await desiredOf(state, cluster, { time, providers });
    await world.applyOrFail(cluster, "", { desired });
  }
  const { program } = await desiredOf(smallest(states), cluster, { time, providers });
  await world.destroy(cluster, undefined, { program });
  world.close();
}

async function play(
  seed: number,
  chance: Chance,
  time: Timeline,
  language: Language,
  sources: Sources,
): Promise<Played> {
  const states = sources.states(language);
  const disk = new Disk();
  const world = new FaultWorld({
    clock: systemClock,
    random: seededRandom(seed),
    workloads: false,
    persistence: disk,
  });
  if (seed % 3 === 0) breakServer(world, disk, { time, chance });
  const cloud = new Cloud(time, chance);
  const runs: Run[] = [];
  const trace: string[] = [];
  let holder = "";
  let lastWriter = "";
  world.subscribe(({ type, resource, stored }) => {
    trace.push(`${time.nowMs} ${type} ${resource} ${stored.namespace}/${stored.name}`);
    if (ofHolder.test(`/${resource.split("/").at(-1) ?? ""}`)) lastWriter = holder;
    if (resource !== "coordination.k8s.io/leases") return;
    const { holderIdentity = "" } = (stored.object["spec"] ?? {}) as { holderIdentity?: string };
    holder = type === "DELETED" ? "" : holderIdentity;
  });
  const liesOnceIn = seed % 4 === 0 ? 40 : Number.POSITIVE_INFINITY;
  const machines = Array.from({ length: chance.between(2, 3) }, (_, index) => {
    const machine = new Machine(time, chance.one([0, 60_000, -60_000, hourMs, -hourMs]));
    const name = `m${index}`;
    const network = new Network({
      inner: world.transport(),
      time,
      machine,
      chance,
      liesOnceIn,
      onWrite: ({ method, path }) => {
        if (ofHolder.test(path) && !holder.startsWith(`${name}-`))
          world.violations.push(`${name} wrote ${method} ${path} and ${holder} holds the Lease`);
      },
    });
    const discoveryCache = new KeptDiscovery(chance);
    const cluster = clusterOver(network, { timing: machine.timing, discoveryCache });
    world.adopt(cluster);
    return { machine, cluster, name, isKilled: chance.isOnceIn(5) };
  });
  const work = machines.map(async ({ machine, cluster, name, isKilled }) => {
    const providers = cloud.providers(machine);
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
      const own = `${name}-${number}`;
      const options = { holder: own, leaseWaitMs: hourMs, clock: machine.clock };
      const state = chance.isOnceIn(6) ? undefined : states[chance.between(0, states.length - 1)];
      const run: Run = { holder: own, state, isDone: false };
      runs.push(run);
      const applying = async (): Promise<GroupRun | undefined> => {
        // A program is destroyed with what it says of its providers.
        const desired = await desiredOf(state ?? smallest(states), cluster, { time, providers });
        if (state === undefined)
          return world.destroy(cluster, hourMs, { ...options, program: desired.program });
        return world.apply(cluster, "", { ...options, desired, timeoutMs: hourMs });
      };
      const ended = await Promise.race([orUndefined(applying()), killed.promise]);
      if (ended === "killed") return;
      run.isDone = ended !== undefined && !ended.hasFailures && !ended.hasRefusals;
    }
  });
  await Promise.all(work);
  // What somebody had sent who was killed arrives in time.
  await time.wait(10_000);
  disk.isFull = false;
  const last = runs.find((run) => run.holder === lastWriter);
  const left = namesOwned(world);
  const thingsLeft = cloud.things();
  world.removeLease();
  const honest = world.client().cluster;
  const state = smallest(states);
  const desired = await desiredOf(state, honest, { time, providers: cloud.providers() });
  const finished = await world.applyOrFail(honest, "", { desired });
  const found = {
    violations: world.violations,
    // Whoever ended well, with nobody after it, has left just what it was to leave.
    left: last?.isDone === true ? [left, thingsLeft] : undefined,
    finished: finished.hasFailures || finished.hasRefusals,
    owned: namesOwned(world),
    inventory: world.inventory(),
    things: cloud.things(),
  };
  const expected = {
    violations: [],
    left: last?.isDone === true ? [namesOf(last.state), thingsOf(last.state)] : undefined,
    finished: false,
    owned: namesOf(state),
    inventory: world.owned(),
    things: thingsOf(state),
  };
  world.close();
  return { trace, found, expected };
}

function smallest([first]: readonly State[]): State {
  if (first === undefined) throw new Error("there is no desired state");
  return first;
}

/** What is owned by annotation, things by their records. */
function namesOwned(world: FaultWorld): readonly string[] {
  return world
    .ownedObjects()
    .map(({ kind, metadata, ...rest }) => {
      if (kind !== "Provisioned") return `${kind} ${metadata.name ?? ""}`;
      const { name } = rest["spec"] as { readonly name: string };
      return `Thing ${thingName(name)}`;
    })
    .sort();
}

function namesOf(state: State | undefined): readonly string[] {
  const { parts = [], things = [] } = state ?? {};
  return [
    ...parts.map(({ name }) => `ConfigMap ${name}`),
    ...things.flatMap(({ name }) => [`ConfigMap of-${name}`, `Thing ${name}`]),
  ].sort();
}

function thingsOf(state: State | undefined): readonly string[] {
  return (state?.things ?? []).map(({ name, zone }) => `${name} ${zone}`).sort();
}

/** Failures of a run are diagnostics; anything else is a defect and is thrown on. */
async function orUndefined<Result>(run: Promise<Result>): Promise<Result | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}
