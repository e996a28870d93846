import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  applyGroup,
  type ApplyGroupOptions,
  destroyGroup,
  type DestroyGroupOptions,
  type GroupRun,
} from "../../src/apply/index.ts";
import {
  type Cluster,
  clusterOver,
  type Credentials,
  type Timing,
  type Transport,
} from "../../src/cluster/index.ts";
import { RetryingTransport } from "../../src/cluster/transport/retrying-transport.ts";
import { inventoryViolations, type GroupReference } from "../../src/inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  readObjectsFromText,
  type SourcedObject,
} from "../../src/objects/index.ts";
import { readinessOf } from "../../src/readiness/index.ts";
import { type Clock, systemClock } from "../../src/sandbox/clock.ts";
import {
  openSandbox,
  type Sandbox,
  type SandboxOptions,
} from "../../src/sandbox/create-sandbox.ts";
import type { PersistedObject } from "../../src/sandbox/store/persistence.ts";
import type { ChangeListener } from "../../src/sandbox/store/store.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { type Decide, FaultyTransport } from "./faulty-transport.ts";
import { type Lie, LyingTransport, type StreamLie } from "./lying-transport.ts";

const owner = "config.k8s.io/owning-inventory";
export const shop: GroupReference = {
  name: "shop",
  namespace: "default",
  id: "shop-default",
  source: "test",
};
/** Small enough for several parts, so that continuations are under test too. */
const largestPartBytes = 1_500;
const never = (): undefined => undefined;

interface ApplyOptions extends Partial<ApplyGroupOptions> {
  readonly timeoutMs?: number;
}

/** A sandbox that is watched over: what must hold at every moment is checked after every write. */
export class FaultWorld {
  sandbox: Sandbox;
  readonly #options: SandboxOptions;
  readonly #listeners: ChangeListener[] = [];
  readonly #transports = new Set<Transport>();
  /** What was wrong at any moment. */
  readonly violations: string[] = [];
  readonly #resources = new Map<string, KubernetesObject>();
  readonly #clients: Cluster[] = [];
  /** What is owned and in no inventory, told once. */
  readonly #unknown = new Set<string>();

  constructor(options: SandboxOptions = {}) {
    this.#options = { clock: hastyClock, ...options };
    this.sandbox = openSandbox(this.#options);
    this.subscribe(({ type, resource, stored }) => {
      const key = `${resource} ${stored.namespace}/${stored.name}`;
      if (type === "DELETED") this.#resources.delete(key);
      else this.#resources.set(key, stored.object);
      this.#check(`${type} ${key}`);
    });
  }

  /** Takes note of every write, of all lives of the server. */
  subscribe(listener: ChangeListener): void {
    this.#listeners.push(listener);
    this.sandbox.context.store.subscribe(listener);
  }

  /** Ends the server and starts it again with what is on its disk, which is all that was acknowledged. */
  restart(): void {
    const before = contents(this.sandbox);
    // Connections end with it.
    for (const transport of this.#transports) void transport.close();
    this.#transports.clear();
    this.sandbox.close();
    this.sandbox = openSandbox(this.#options);
    if (!isDeepStrictEqual(contents(this.sandbox), before))
      this.violations.push("the server lost what it had acknowledged");
    for (const listener of this.#listeners) this.sandbox.context.store.subscribe(listener);
  }

  /** The way to the server, whichever life of it is the current one. */
  transport(credentials?: Credentials): Transport {
    let served = this.sandbox;
    let inner = new InProcessTransport(served, credentials);
    this.#transports.add(inner);
    const current = (): Transport => {
      if (served === this.sandbox) return inner;
      served = this.sandbox;
      inner = new InProcessTransport(served, credentials);
      this.#transports.add(inner);
      return inner;
    };
    return {
      request: (request) => current().request(request),
      stream: (request) => current().stream(request),
      openSocket: (request, protocols) => current().openSocket(request, protocols),
      close: () => Promise.resolve(),
    };
  }

  /** A client whose calls may be spoiled; with retries as over the network, or without. */
  client(
    decide: Decide = never,
    retries = false,
  ): { readonly cluster: Cluster; readonly calls: readonly string[] } {
    const faulty = new FaultyTransport(new InProcessTransport(this.sandbox), decide);
    const transport = retries ? new RetryingTransport(faulty, hasty) : faulty;
    return { cluster: this.#connect(transport, hasty), calls: faulty.calls };
  }

  /** A client to whom not everything that it is told is true. */
  misled(
    lie: Lie,
    streamLie?: StreamLie,
    timing: Timing = hasty,
  ): { readonly cluster: Cluster; readonly calls: readonly string[] } {
    const lying = new LyingTransport(new InProcessTransport(this.sandbox), lie, streamLie);
    return { cluster: this.#connect(lying, timing), calls: lying.calls };
  }

  #connect(transport: Transport, timing: Timing): Cluster {
    const cluster = clusterOver(transport, { timing });
    this.#clients.push(cluster);
    return cluster;
  }

  /** Closes what a client watches with everything else. */
  adopt(cluster: Cluster): void {
    this.#clients.push(cluster);
  }

  /** Applies; a run that fails as a whole gives undefined, as the command would end with 1. */
  apply(
    cluster: Cluster,
    text: string,
    { timeoutMs = 20_000, ...options }: ApplyOptions = {},
  ): Promise<GroupRun | undefined> {
    return orUndefined(this.applyOrFail(cluster, text, { timeoutMs, ...options }));
  }

  applyOrFail(
    cluster: Cluster,
    text: string,
    { timeoutMs = 20_000, ...options }: ApplyOptions = {},
  ): Promise<GroupRun> {
    return applyGroup({
      cluster,
      group: shop,
      desired: { objects: objectsOf(text), invalid: [], components: [] },
      prune: { kind: "all" },
      policy: "strict",
      manager: "keelson",
      forceConflicts: false,
      validation: "fail",
      write: {
        reconcileTimeoutMs: timeoutMs,
        pruneTimeoutMs: timeoutMs,
        propagationPolicy: "Background",
        waits: true,
        waitsForJobs: false,
      },
      command: "apply",
      holder: "test",
      leaseWaitMs: 0,
      emit: never,
      signal: new AbortController().signal,
      largestPartBytes,
      ...options,
    });
  }

  destroy(
    cluster: Cluster,
    timeoutMs = 20_000,
    options: Partial<DestroyGroupOptions> = {},
  ): Promise<GroupRun | undefined> {
    return orUndefined(
      destroyGroup({
        cluster,
        group: shop,
        policy: "strict",
        manager: "keelson",
        deleteTimeoutMs: timeoutMs,
        propagationPolicy: "Background",
        dryRun: false,
        holder: "test",
        command: "destroy",
        leaseWaitMs: 0,
        emit: never,
        signal: new AbortController().signal,
        ...options,
      }),
    );
  }

  /** Removes the Lease of a run of this process that was cut off: how others take one over has its own tests. */
  removeLease(): void {
    this.sandbox.context.store.delete("coordination.k8s.io/leases", "default", shop.name);
  }

  /** What is owned, by annotation and by inventory, in words. */
  owned(): readonly string[] {
    return [...this.#annotated().keys()].sort();
  }

  ownedObjects(): readonly KubernetesObject[] {
    return [...this.#annotated().values()];
  }

  inventory(): readonly string[] {
    return this.#entries()
      .map(({ entry }) => identityKey(entry))
      .sort();
  }

  notReady(): readonly string[] {
    return [...this.#annotated().values()]
      .map((object) => ({ object, verdict: readinessOf(object, { now: Date.now() }) }))
      .filter(({ verdict }) => verdict.status !== "Current")
      .map(({ object, verdict }) => `${identityKey(identityOf(object))}: ${verdict.message}`);
  }

  get(resource: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.#resources.get(`${resource} ${namespace}/${name}`);
  }

  /** Every object and its version, without Leases. */
  versions(): readonly string[] {
    return [...this.#resources]
      .filter(([key]) => !key.startsWith("coordination.k8s.io/leases") && !key.includes("events"))
      .map(([key, { metadata }]) => `${key} ${metadata.resourceVersion ?? ""}`)
      .sort();
  }

  close(): void {
    // A watch of a server that is gone is begun again and again, here without a pause.
    for (const { view } of this.#clients) void view.close();
    this.sandbox.close();
  }

  #check(moment: string): void {
    const entries = this.#entries();
    const parts = Map.groupBy(entries, ({ part }) => part);
    const first = this.#resources.get(`kpt.dev/resourcegroups default/${shop.name}`);
    if (first !== undefined) {
      const names = [shop.name, ...[...parts.keys()].filter((name) => name !== shop.name).sort()];
      const wrong = inventoryViolations({
        reference: shop,
        liveId: first.metadata.labels?.["cli-utils.sigs.k8s.io/inventory-id"],
        parts: names.map((name) => ({
          name,
          uid: "",
          resourceVersion: "",
          entries: (parts.get(name) ?? []).map(({ entry }) => entry),
        })),
        statuses: new Map(),
        version: "",
      });
      this.violations.push(...wrong.map((each) => `after ${moment}: ${each}`));
    }
    const known = new Set(entries.map(({ entry }) => identityKey(entry)));
    for (const key of this.#annotated().keys())
      if (!known.has(key) && !this.#unknown.has(key)) {
        this.#unknown.add(key);
        this.violations.push(`after ${moment}: ${key} is owned and not known`);
      }
  }

  #entries(): readonly { readonly part: string; readonly entry: ObjectIdentity }[] {
    return [...this.#resources]
      .filter(([key]) => key.startsWith("kpt.dev/resourcegroups "))
      .flatMap(([, { metadata, ...rest }]) => {
        const { resources = [] } = (rest["spec"] ?? {}) as { resources?: ObjectIdentity[] };
        return resources.map((entry) => ({ part: metadata.name ?? "", entry }));
      });
  }

  #annotated(): ReadonlyMap<string, KubernetesObject> {
    const found = new Map<string, KubernetesObject>();
    for (const object of this.#resources.values()) {
      const { annotations, ownerReferences = [] } = object.metadata;
      if (annotations?.[owner] === shop.id && ownerReferences.length === 0)
        found.set(identityKey(identityOf(object)), object);
    }
    return found;
  }
}

function contents({ context }: Sandbox): readonly PersistedObject[] {
  return [...context.store.all()].sort((left, right) => left.revision - right.revision);
}

/** Controllers do at once what takes them seconds: these tests are about order, not about time. */
const hastyClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    // What takes minutes is the end of a watch, or of an event.
    if (delayMs > 60_000) return systemClock.after(delayMs, callback);
    const timer = setImmediate(callback);
    return () => {
      clearImmediate(timer);
    };
  },
};

/** A client's clock on which no waiting takes long. */
export const hasty: Timing = {
  now: () => Date.now(),
  random: () => 0.5,
  sleep: async (_delayMs, signal) => {
    signal?.throwIfAborted();
    await nextTurn();
  },
};

/** Failures of a run are diagnostics; anything else is a defect and is thrown on. */
async function orUndefined(run: Promise<GroupRun>): Promise<GroupRun | undefined> {
  const { DiagnosticError } = await import("../../src/diagnostics/index.ts");
  try {
    return await run;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

export function objectsOf(text: string): readonly SourcedObject[] {
  const { objects, diagnostics } = readObjectsFromText("test.yaml", text);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return objects;
}
