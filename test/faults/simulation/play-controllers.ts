/** Two processes, of which one leads, carry out a bundle that somebody changes, as one seed has it. */
import { bundleDefinitions } from "../../../src/bundles/index.ts";
import {
  type Cluster,
  clusterOver,
  type Credentials,
  isApiError,
} from "../../../src/cluster/index.ts";
import { bundleReconciler, runControllers } from "../../../src/controller/index.ts";
import { DiagnosticError } from "../../../src/diagnostics/index.ts";
import { ensureDefinition } from "../../../src/inventory/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import { systemClock } from "../../../src/sandbox/clock.ts";
import { seededRandom } from "../../../src/sandbox/random.ts";
import { bundleObject } from "../../contract/ways/languages.ts";
import { rightsObjects } from "../../controller/rights-objects.ts";
import { FaultWorld } from "../fault-world.ts";
import { breakServer } from "./break-server.ts";
import { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { Machine } from "./machine.ts";
import { Network } from "./network.ts";
import type { Played } from "./play-writers.ts";
import type { Sources, State } from "./sources.ts";
import { Timeline } from "./timeline.ts";

const hourMs = 3_600_000;
const mostAttempts = 3_600;
const lease = { namespace: "default", name: "controller" };
const bundleReference = {
  apiVersion: "smith.atlassian.com/v1",
  kind: "Bundle",
  namespace: "default",
  name: "all",
};
/** What only the leader may write. */
const ofLeader = /\/(?:configmaps|bundles)(?:\/|$)/;

export function playControllers(seed: number, sources: Sources): Promise<Played> {
  const time = new Timeline();
  const chance = new Chance(seed);
  return time.run(chance.next, () => new Play(seed, chance, time).play(sources));
}

class Play {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #time: Timeline;
  readonly #disk = new Disk();
  readonly #world: FaultWorld;
  readonly #honest: Cluster;
  readonly #stop = new AbortController();
  readonly #violations: string[] = [];
  readonly #trace: string[] = [];
  #leader = "";

  constructor(seed: number, chance: Chance, time: Timeline) {
    this.#seed = seed;
    this.#chance = chance;
    this.#time = time;
    this.#world = new FaultWorld({
      clock: systemClock,
      random: seededRandom(seed),
      workloads: false,
      persistence: this.#disk,
    });
    this.#honest = clusterOver(this.#world.transport());
    this.#world.subscribe(({ type, resource, stored }) => {
      this.#trace.push(`${time.nowMs} ${type} ${resource} ${stored.namespace}/${stored.name}`);
      if (resource !== "coordination.k8s.io/leases") return;
      const { holderIdentity = "" } = (stored.object["spec"] ?? {}) as { holderIdentity?: string };
      this.#leader = type === "DELETED" ? "" : holderIdentity;
    });
  }

  async play(sources: Sources): Promise<Played> {
    const states = sources.states("bundle");
    await this.#prepare();
    if (this.#seed % 3 === 0)
      breakServer(this.#world, this.#disk, { time: this.#time, chance: this.#chance });
    const processes = [0, 1].map((number) => this.#keepRunning(`m${number}`));
    let last: State | undefined;
    for (let change = 0, most = this.#chance.between(2, 4); change < most; change++) {
      await this.#time.wait(this.#chance.between(0, 90_000));
      last = this.#chance.isOnceIn(4)
        ? undefined
        : states[this.#chance.between(0, states.length - 1)];
      await this.#written(last);
    }
    const wanted = (last?.parts ?? []).map(({ name }) => name).sort();
    const isSettled = await this.#settled(wanted, last);
    // Nothing goes back once it is as it should be.
    await this.#time.wait(120_000);
    const violations = [...this.#violations, ...this.#world.violations];
    const found = { violations, isSettled, objects: await this.#objects() };
    this.#stop.abort();
    await Promise.all(processes);
    await this.#honest.close();
    this.#world.close();
    return {
      trace: this.#trace,
      found,
      expected: { violations: [], isSettled: true, objects: wanted },
    };
  }

  async #prepare(): Promise<void> {
    for (const definition of bundleDefinitions) await ensureDefinition(this.#honest, definition);
    const account = { apiVersion: "v1", kind: "ServiceAccount" };
    for (const object of [
      { ...account, metadata: { name: "default", namespace: "default" } },
      ...rightsObjects("default"),
    ])
      await this.#honest.apply(object, { fieldManager: "test", force: true });
  }

  /** Starts a process again whenever it has ended, as a Deployment does; one that is killed on another machine. */
  async #keepRunning(name: string): Promise<void> {
    for (let number = 0; !this.#stop.signal.aborted; number++) {
      const skewMs = this.#chance.one([0, 60_000, -60_000, hourMs, -hourMs]);
      const machine = new Machine(this.#time, skewMs);
      const killed = Promise.withResolvers<void>();
      if (number < 2 && this.#chance.isOnceIn(3))
        this.#time.at(this.#chance.between(0, 120_000), () => {
          machine.kill();
          killed.resolve();
        });
      if (number < 2 && this.#chance.isOnceIn(2))
        this.#time.at(this.#chance.between(0, 120_000), () => {
          machine.stop(this.#chance.between(1_000, 60_000), this.#chance.isOnceIn(2));
        });
      await Promise.race([this.#run(`${name}-${number}`, machine), killed.promise]);
      await this.#time.wait(this.#chance.between(1_000, 10_000));
    }
  }

  async #run(holder: string, machine: Machine): Promise<void> {
    const connect = (credentials?: Credentials): Cluster => {
      const network = new Network({
        inner: this.#world.transport(credentials),
        time: this.#time,
        machine,
        chance: this.#chance,
        liesOnceIn: this.#seed % 4 === 0 ? 40 : Number.POSITIVE_INFINITY,
        onWrite: ({ method, path }) => {
          if (ofLeader.test(path) && this.#leader !== holder)
            this.#violations.push(`${holder} wrote ${method} ${path} and ${this.#leader} leads`);
        },
      });
      return clusterOver(network, { timing: machine.timing, as: connect });
    };
    try {
      await runControllers({
        cluster: connect(),
        reconcilers: [bundleReconciler({ namespace: "default" })],
        signal: this.#stop.signal,
        holder,
        lease,
        clock: machine.clock,
      });
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
    }
  }

  /** A server that has no room refuses; whoever means it tries again. */
  async #written(state: State | undefined): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      try {
        if (await this.#write(state)) return;
      } catch (error) {
        if (!(error instanceof DiagnosticError) && !isApiError(error)) throw error;
      }
      await this.#time.wait(1_000);
    }
    throw new Error("the bundle could not be written for an hour");
  }

  /** Changes the bundle, or deletes it; returns whether it could: what is written into one that goes, goes with it. */
  async #write(state: State | undefined): Promise<boolean> {
    const found = await this.#honest.find(bundleReference);
    if (state !== undefined) {
      if (found?.metadata.deletionTimestamp !== undefined) return false;
      const { metadata, ...rest } = bundleObject("all", state.parts);
      const object = { ...rest, metadata: { ...metadata, namespace: "default" } };
      await this.#honest.apply(object, { fieldManager: "test", force: true });
    } else if (found !== undefined) await this.#honest.delete(bundleReference);
    return true;
  }

  async #settled(wanted: readonly string[], state: State | undefined): Promise<boolean> {
    for (let turn = 0; turn < 360; turn++) {
      await this.#time.wait(10_000);
      const bundle = await this.#honest.find(bundleReference);
      const isJudged = state === undefined ? bundle === undefined : isReady(bundle);
      if (isJudged && String(await this.#objects()) === String(wanted)) return true;
    }
    return false;
  }

  async #objects(): Promise<readonly string[]> {
    const kind = { apiVersion: "v1", kind: "ConfigMap" };
    const { items } = await this.#honest.list(kind, { namespace: "default" });
    return items
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.kind === "Bundle"))
      .map(({ metadata }) => metadata.name ?? "")
      .sort();
  }
}

function isReady(bundle: KubernetesObject | undefined): boolean {
  const { conditions = [], observedGeneration } = (bundle?.["status"] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly observedGeneration?: number;
  };
  return (
    observedGeneration === bundle?.metadata.generation &&
    conditions.some(({ type, status }) => type === "Ready" && status === "True")
  );
}
