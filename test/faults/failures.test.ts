import { afterEach, describe, expect, it } from "vitest";
import { remember } from "../../src/apply/apply-group.ts";
import { clusterOver, type Transport, type TransportAnswer } from "../../src/cluster/index.ts";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import type { RunEvent } from "../../src/events/index.ts";
import { groupDefinition } from "../../src/inventory/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { systemClock } from "../../src/sandbox/clock.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { FaultWorld, shop } from "./fault-world.ts";
import type { Decide } from "./faulty-transport.ts";

/** Events as lines: `apply ConfigMap a failed reason: message`. */
function lines(events: readonly RunEvent[]): readonly string[] {
  return events.map((event) => {
    if ("code" in event) return `${event.type} ${event.code}: ${event.summary}`;
    if (!("object" in event)) return event.type;
    const { type, object, status, reason = "", message = "" } = event;
    return `${type} ${object.kind} ${object.name} ${status} ${reason}: ${message}`;
  });
}

const map = (name: string, annotations: Readonly<Record<string, string>> = {}): string =>
  `${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", annotations }, data: { a: "b" } })}\n---\n`;

const deployment = (name: string, trouble?: string): KubernetesObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "default" },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: {
        labels: { app: name },
        ...(trouble === undefined
          ? {}
          : { annotations: { "sandbox.keelson.dev/trouble": trouble } }),
      },
      spec: { containers: [{ name: "main", image: "web:1" }] },
    },
  },
});

const bound = {
  "keelson.dev/CrReadyWhenExistsKind": "Binding",
  "keelson.dev/CrReadyWhenExistsVersion": "example.com/v1",
};

const definitionOf = (kind: string, annotations: Readonly<Record<string, string>> = {}): string => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  const spec = {
    group: "example.com",
    names: { kind, plural },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema }],
  };
  const metadata = { name: `${plural}.example.com`, annotations };
  return `${JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec })}\n---\n`;
};

describe("failures of a run", () => {
  let world: FaultWorld | undefined;
  afterEach(() => {
    world?.close();
  });

  const open = (decide?: Decide, real = false) => {
    world = real ? new FaultWorld({ clock: systemClock }) : new FaultWorld();
    const events: RunEvent[] = [];
    const emit = (event: RunEvent): void => void events.push(event);
    return { world, events, emit, cluster: world.client(decide).cluster };
  };

  it("a crash-looping pod is told by the error of its log", async () => {
    const { world: own, cluster, events, emit } = open(undefined, true);
    const run = await own.apply(cluster, JSON.stringify(deployment("web", "crash-loop")), { emit });
    expect(run?.hasFailures).toBe(true);
    expect(lines(events).find((line) => line.includes("failed"))).toMatch(
      /^wait Deployment web failed CrashLoopBackOff: fatal: simulated crash, exit 1, ended \d times$/,
    );
  });

  it("a write that is tried again and again is told of while the run goes on", async () => {
    const { world: own, events, emit } = open();
    let left = 6;
    const { cluster } = own.client(
      (_call, { method, path }) =>
        method === "PATCH" && path.endsWith("/configmaps/a") && left-- > 0 ? "503" : undefined,
      true,
    );
    expect(await own.apply(cluster, map("a"), { emit })).toMatchObject({ hasFailures: false });
    const told = lines(events);
    const warning =
      "warning cluster.server-error: cannot patch configmaps default/a: the API server failed (503); it is tried again";
    expect(told.filter((line) => line.startsWith("warning"))).toEqual([warning]);
    expect(told.indexOf(warning)).toBeLessThan(
      told.findIndex((line) => line.startsWith("apply ConfigMap a successful")),
    );
  });

  it("without permission to watch, objects are read again and again, which is said", async () => {
    const {
      world: own,
      cluster,
      events,
      emit,
    } = open((_call, { query }) =>
      query?.["watch"] === true && query["fieldSelector"] === undefined ? "403" : undefined,
    );
    const text = JSON.stringify(deployment("web"));
    expect(await own.apply(cluster, text, { emit })).toMatchObject({ hasFailures: false });
    expect(lines(events)).toContain(
      "warning live.watch-forbidden: Deployment objects in the namespace default may not be watched; they are read again and again instead",
    );
    const pruned = await own.apply(cluster, map("other"));
    expect(pruned).toMatchObject({ hasFailures: false });
    expect(own.get("apps/deployments", "default", "web")).toBeUndefined();
  });

  it("with rights in one namespace only, an inventory whose kind is there is enough", async () => {
    const { world: own, cluster } = open((_call, { path }) =>
      path === "/api/v1/namespaces/default" || path.includes("/customresourcedefinitions/")
        ? "403"
        : undefined,
    );
    // Nobody has installed the kind yet, and this user cannot.
    expect(await own.apply(cluster, map("a"))).toBeUndefined();
    await own.apply(own.client().cluster, map("a"));
    expect(await own.apply(cluster, map("b"))).toMatchObject({ hasFailures: false });
    expect(own.get("/configmaps", "default", "b")).toBeDefined();
  });

  it("without permission to read definitions or to watch what they wait for, that is said", async () => {
    const kinds = definitionOf("Claim", bound) + definitionOf("Binding");
    const owner = { apiVersion: "example.com/v1", kind: "Claim", name: "one" };
    const claim = {
      apiVersion: "example.com/v1",
      kind: "Claim",
      metadata: { name: "one", namespace: "default" },
    };
    for (const refused of ["definitions", "bindings"] as const) {
      const {
        world: own,
        cluster,
        events,
        emit,
      } = open((_call, { path, query }) =>
        (refused === "definitions" && path.includes("customresourcedefinitions/claims")) ||
        (refused === "bindings" && path.endsWith("/bindings") && query?.["watch"] === true)
          ? "403"
          : undefined,
      );
      const free = own.client().cluster;
      await own.apply(free, kinds);
      const made = await free.create(claim);
      await free.create({
        apiVersion: "example.com/v1",
        kind: "Binding",
        metadata: {
          name: "b",
          namespace: "default",
          ownerReferences: [{ ...owner, uid: made.metadata.uid ?? "" }],
        },
      });
      const run = await own.apply(cluster, JSON.stringify(claim), {
        emit,
        policy: "adopt",
        prune: { kind: "none" },
      });
      expect(run).toMatchObject({ hasFailures: false });
      expect(lines(events).filter((line) => line.startsWith("warning"))).toEqual([
        refused === "definitions"
          ? "warning readiness.definitions-forbidden: the definitions of example.com/Claim may not be read, so that what they say of readiness does not count"
          : "warning live.watch-forbidden: Binding objects in the namespace default may not be watched; they are read again and again instead",
      ]);
      own.close();
    }
  });

  it("definitions of custom kinds are read once each, and only of the kinds in play", async () => {
    world = new FaultWorld();
    const free = world.client().cluster;
    const done = { "keelson.dev/ready-when": "self.spec.done" };
    const kinds = ["One", "Two", "Three"].map((kind) => definitionOf(kind, done)).join("");
    await world.apply(free, kinds);
    const instance = (kind: string, index: number): string =>
      `${JSON.stringify({ apiVersion: "example.com/v1", kind, metadata: { name: `n${index}`, namespace: "default" }, spec: { done: true } })}\n---\n`;
    const text = Array.from({ length: 20 }, (_, index) =>
      ["One", "Two"].map((kind) => instance(kind, index)).join(""),
    ).join("");
    const { cluster, calls } = world.client();
    const run = await world.apply(cluster, text, { prune: { kind: "none" } });
    expect(run).toMatchObject({ hasFailures: false });
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const read = calls.filter((call) => /customresourcedefinitions\/(?:one|two|three)s/.test(call));
    expect(read.toSorted()).toEqual([
      `GET ${definitions}/ones.example.com`,
      `GET ${definitions}/twos.example.com`,
    ]);
  });

  it.each([
    ["of this run", false],
    ["that somebody has just defined", true],
  ])("a kind %s is waited for until the server tells of it", async (_whose, isFirst) => {
    world = new FaultWorld();
    const inner = new InProcessTransport(world.sandbox);
    let stale: TransportAnswer | undefined;
    let told = 0;
    // As on a real server, what is known of kinds is older than the definition for a while.
    const late: Transport = {
      request: async (request) => {
        const answer = await inner.request(request);
        if (request.path !== "/apis") return answer;
        stale ??= answer;
        return !answer.text.includes("example.com") || ++told > 5 ? answer : stale;
      },
      stream: (request) => inner.stream(request),
      openSocket: (...open) => inner.openSocket(...open),
      close: () => Promise.resolve(),
    };
    const one = JSON.stringify({
      apiVersion: "example.com/v1",
      kind: "Late",
      metadata: { name: "one", namespace: "default" },
    });
    const cluster = clusterOver(late);
    const free = world.client().cluster;
    await world.apply(free, map("before"));
    await cluster.resources();
    if (isFirst) await world.apply(free, definitionOf("Late"), { prune: { kind: "none" } });
    const text = isFirst ? one : `${definitionOf("Late")}${one}`;
    const run = await world.apply(cluster, text, { prune: { kind: "none" } });
    expect(run).toMatchObject({ hasFailures: false });
    expect(told).toBeGreaterThan(5);
  });

  it("what is depended on outside is waited for, by several, and only so long", async () => {
    const { world: own, cluster, events, emit } = open(undefined, true);
    await cluster.create(deployment("db", "never-ready"));
    const on = { "config.kubernetes.io/depends-on": "apps/namespaces/default/Deployment/db" };
    await own.apply(cluster, map("a", on) + map("b", on), { emit, timeoutMs: 200 });
    // Both wait for one deadline; which of them is told first does not matter.
    const failed = lines(events).filter((line) => line.includes("failed"));
    expect(failed.toSorted()).toEqual(
      ["a", "b"].map((name) =>
        expect.stringMatching(
          new RegExp(
            `^apply ConfigMap ${name} failed live.dependency-not-ready: it depends on Deployment.apps default/db, which is not ready: `,
          ),
        ),
      ),
    );
  });

  it("a mutation that hits nothing fails its object and what depends on it", async () => {
    const { world: own, cluster, events, emit } = open();
    const mutation =
      "- {sourceRef: {kind: ConfigMap, name: a}, sourcePath: $.data.none, targetPath: $.data.a}";
    const text =
      map("a") +
      map("b", { "config.kubernetes.io/apply-time-mutation": mutation }) +
      map("c", { "config.kubernetes.io/depends-on": "/namespaces/default/ConfigMap/b" });
    await own.apply(cluster, text, { emit });
    expect(lines(events).filter((line) => /^apply .* (?:failed|skipped)/.test(line))).toEqual([
      "apply ConfigMap b failed live.mutation-failed: apply-time mutation: sourcePath $.data.none hits 0 fields of ConfigMap default/a, not one",
      "apply ConfigMap c skipped DependencyNotReady: it waits for ConfigMap b, which is not ready: apply-time mutation: sourcePath $.data.none hits 0 fields of ConfigMap default/a, not one",
    ]);
    expect(own.inventory()).toEqual(["/ConfigMap/default/a"]);
  });

  it("an interrupted run begins nothing more, and remembers what it did", async () => {
    const { world: own, cluster, events } = open();
    const interrupt = new AbortController();
    const emit = (event: RunEvent): void => {
      events.push(event);
      if (event.type === "apply") interrupt.abort();
    };
    const text = Array.from({ length: 300 }, (_, index) => map(`m${index}`)).join("");
    await own.apply(cluster, text, { emit, signal: interrupt.signal });
    const codes = events.map((event) => ("reason" in event ? event.reason : undefined));
    expect(codes).toContain("live.interrupted");
    expect(own.inventory()).toEqual(own.owned());
    expect(own.owned().length).toBeGreaterThan(0);
    expect(own.owned().length).toBeLessThan(300);
    expect(await own.apply(cluster, text)).toMatchObject({ hasFailures: false });
    expect(own.owned()).toHaveLength(300);
    expect(own.violations).toEqual([]);
  });

  it("who lost the Lease writes nothing more", async () => {
    const events: RunEvent[] = [];
    const reason = new DiagnosticError([
      { code: "live.lease-lost", severity: "error", summary: "bert has it now" },
    ]);
    const lease = {
      lost: AbortSignal.abort(reason),
      isTakenOver: false,
      fence: () => Promise.reject(reason),
      release: () => Promise.resolve(undefined),
    };
    const isRemembered = await remember(
      (event) => void events.push(event),
      lease,
      () => Promise.reject(new Error("it wrote")),
    );
    expect(isRemembered).toBe(false);
    expect(lines(events)).toEqual(["error live.lease-lost: bert has it now"]);
  });

  it("a kind ResourceGroup that cannot be installed is said, not waited for", async () => {
    const { world: own, cluster } = open();
    const spec = groupDefinition["spec"] as { readonly names: object };
    await cluster.create({
      ...groupDefinition,
      metadata: { name: "othergroups.kpt.dev" },
      spec: { ...spec, names: { ...spec.names, plural: "othergroups", singular: "othergroup" } },
    });
    await expect(own.applyOrFail(cluster, map("a"))).rejects.toMatchObject({
      diagnostics: [{ code: "live.definition-refused" }],
    });
  });

  it("an id that differs is refused, for apply and for destroy; overriding it survives a crash", async () => {
    const { world: own, cluster } = open();
    const old = { ...shop, id: "old" };
    await own.apply(cluster, map("a") + map("b"), { group: old });
    const mismatch = { diagnostics: [{ code: "live.id-mismatch" }] };
    await expect(own.applyOrFail(cluster, map("a"))).rejects.toMatchObject(mismatch);
    expect(await own.destroy(cluster)).toBeUndefined();
    // The run dies at its first write of an object: the label is new, all annotations are old.
    const dying = own.client((_call, { method, path }) =>
      method === "PATCH" && path.includes("/configmaps/") ? "drop before" : undefined,
    );
    await own.apply(dying.cluster, map("a") + map("b"), { policy: "adopt" });
    expect(await own.apply(cluster, map("a"))).toMatchObject({
      hasFailures: false,
      hasRefusals: false,
    });
    expect(own.owned()).toEqual(["/ConfigMap/default/a"]);
    expect(own.get("/configmaps", "default", "b")).toBeUndefined();
  });
});

describe("two applies at once", () => {
  it("one wins, the other says who holds the Lease", async () => {
    const world = new FaultWorld();
    try {
      const runs = await Promise.allSettled(
        ["anna", "bert"].map((holder) =>
          world.applyOrFail(world.client().cluster, map("a"), { holder }),
        ),
      );
      const refused = runs.filter((run) => run.status === "rejected");
      expect(refused).toHaveLength(1);
      expect(String(refused[0]?.reason)).toMatch(/(?:anna|bert) holds its Lease/);
      expect(world.owned()).toEqual(["/ConfigMap/default/a"]);
      expect(world.violations).toEqual([]);
    } finally {
      world.close();
    }
  });
});
