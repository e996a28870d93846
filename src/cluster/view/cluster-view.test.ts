import { afterEach, describe, expect, it } from "vitest";
import type { KubernetesObject, ObjectIdentity } from "../../objects/index.ts";
import { clusterOver } from "../cluster.ts";
import {
  type ScriptedAnswer,
  scriptedDiscovery,
  ScriptedTransport,
} from "../../../test/scripted-transport.ts";
import type { Timing } from "../timing.ts";
import type { TransportRequest } from "../transport/transport.ts";
import { type ClusterViewOptions, openClusterView } from "./cluster-view.ts";
import { byOwner } from "./index-keys.ts";
import { lookBeside } from "./look-beside.ts";
import type { KindView } from "./kind-view.ts";

const configMaps = { apiVersion: "v1", kind: "ConfigMap" };
const pods = { apiVersion: "v1", kind: "Pod" };
const path = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

/** A server of ConfigMaps whose watches report when the test lets them. */
class Server {
  /** What is asked for and refused, by a part of the request. */
  refused: readonly string[] = [];
  isHeld = false;
  /** What every watch is answered instead. */
  watchAnswer: ScriptedAnswer | "silence" | undefined;
  readonly transport = new ScriptedTransport(
    (request) => scriptedDiscovery(request) ?? this.#answer(request),
  );
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #streams = new Set<Lines>();
  readonly #held: (() => void)[] = [];
  #version = 10;

  put(name: string, more: object = {}, namespace = "default"): KubernetesObject {
    const key = `${namespace}/${name}`;
    const type = this.#objects.has(key) ? "MODIFIED" : "ADDED";
    const resourceVersion = String(++this.#version);
    const metadata = { name, namespace, uid: key, resourceVersion, managedFields: [{}] };
    const object = { ...configMaps, metadata, ...more } as KubernetesObject;
    this.#objects.set(key, object);
    this.#report(type, object);
    return object;
  }

  remove(name: string, namespace = "default"): void {
    const key = `${namespace}/${name}`;
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    const resourceVersion = String(++this.#version);
    if (object !== undefined)
      this.#report("DELETED", { ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  /** Watches report what they held back. */
  release(): void {
    this.isHeld = false;
    for (const report of this.#held.splice(0)) report();
  }

  /** Requests that are no discovery, without the query of a watch. */
  get log(): readonly string[] {
    return this.transport.log
      .filter((line) => line.includes("configmaps") || line.includes("pods"))
      .map((line) => (line.includes("watch=true") ? line.replace(/\?.*/, " watch") : line));
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  #report(type: string, object: KubernetesObject): void {
    const report = (): void => {
      for (const stream of this.#streams) if (stream.isOf(object)) stream.push({ type, object });
    };
    if (this.isHeld) this.#held.push(report);
    else report();
  }

  #answer(request: TransportRequest): ScriptedAnswer | Error {
    if (request.signal?.aborted === true) return new Error("aborted");
    const { method, path: target, query } = request;
    const asked = `${query?.["watch"] === true ? "WATCH" : method} ${target}`;
    if (this.refused.some((each) => asked.startsWith(each)))
      return { status: 403, json: { kind: "Status", code: 403, reason: "Forbidden" } };
    const [, namespace, name] =
      /^\/api\/v1(?:\/namespaces\/([^/]+))?\/[^/]+(?:\/(.+))?$/.exec(target) ?? [];
    if (method === "PATCH" && name !== undefined)
      return { json: this.put(name, { data: { by: "us" } }, namespace) };
    if (name !== undefined) {
      const found = this.#objects.get(`${namespace ?? ""}/${name}`);
      return found === undefined ? { status: 404, json: notFound(name) } : { json: found };
    }
    const items = [...this.#objects.values()].filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
    const resourceVersion = String(this.#version);
    const instead = query?.["watch"] === true ? this.watchAnswer : undefined;
    if (instead !== undefined && instead !== "silence") return instead;
    if (query?.["watch"] !== true)
      return { json: { kind: "ConfigMapList", metadata: { resourceVersion }, items } };
    const lines = new Lines(namespace, () => this.#streams.delete(lines));
    this.#streams.add(lines);
    request.signal?.addEventListener("abort", lines.end);
    if (instead === "silence") {
      this.#streams.delete(lines);
      return { lines };
    }
    for (const object of items) lines.push({ type: "ADDED", object });
    const annotations = { "k8s.io/initial-events-end": "true" };
    lines.push({ type: "BOOKMARK", object: { metadata: { resourceVersion, annotations } } });
    return { lines };
  }
}

const notFound = (name: string): unknown => ({
  kind: "Status",
  code: 404,
  reason: "NotFound",
  details: { name, kind: "configmaps" },
});

/** Lines that come one after the other until the request ends. */
class Lines implements AsyncIterable<unknown> {
  readonly #namespace: string | undefined;
  readonly #onEnd: () => void;
  readonly #waiting: unknown[] = [];
  #wake = Promise.withResolvers<void>();
  #isEnded = false;

  constructor(namespace: string | undefined, onEnd: () => void) {
    this.#namespace = namespace;
    this.#onEnd = onEnd;
  }

  isOf({ metadata }: KubernetesObject): boolean {
    return this.#namespace === undefined || this.#namespace === metadata.namespace;
  }

  push(line: unknown): void {
    this.#waiting.push(line);
    this.#wake.resolve();
  }

  readonly end = (): void => {
    this.#isEnded = true;
    this.#onEnd();
    this.#wake.resolve();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator {
    while (!this.#isEnded) {
      yield* this.#waiting.splice(0);
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
  }
}

/** A clock whose pauses end when the test says so. */
class Pauses {
  readonly delays: number[] = [];
  #end: (() => void) | undefined;
  readonly timing: Timing = {
    now: () => 0,
    random: () => 1,
    sleep: (delayMs, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      this.delays.push(delayMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#end = resolve;
      signal?.addEventListener("abort", () => {
        resolve();
      });
      return promise;
    },
  };

  end(): void {
    this.#end?.();
  }
}

const idOf = (name: string, namespace = "default"): ObjectIdentity => ({
  group: "",
  kind: "ConfigMap",
  namespace,
  name,
});

const names = (view: KindView): readonly string[] =>
  [...view.objects()].map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`);

function eventsOf(view: KindView): readonly string[] {
  const events: string[] = [];
  view.subscribe(({ kind, object }) => events.push(`${kind} ${object.metadata.name ?? ""}`));
  return events;
}

describe("the view of a cluster", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  const open = (options: ClusterViewOptions = {}) => {
    const server = new Server();
    const pauses = new Pauses();
    const cluster = clusterOver(server.transport, { timing: pauses.timing });
    const view = openClusterView(cluster, { timing: pauses.timing, ...options });
    closers.push(
      () => view.close(),
      () => cluster.close(),
    );
    return { server, pauses, cluster, view };
  };

  it("watches a kind of a namespace once, for all who look at it", async () => {
    const { server, view } = open();
    server.put("a");
    const one = view.use(configMaps, { namespace: "default" });
    const other = view.use(configMaps, { namespace: "default" });
    const shallow = view.use(configMaps, { namespace: "default", depth: "metadata" });
    expect([one.state, one.look(idOf("a"))]).toEqual(["pending", undefined]);
    await one.synced;
    expect([one.state, one.look(idOf("b"))]).toEqual(["watched", "absent"]);
    for (const each of [one, other, shallow]) expect(names(each)).toEqual(["default/a"]);
    expect(one.get(idOf("a"))?.metadata.managedFields).toBeUndefined();
    const late = view.use(configMaps, { namespace: "default" });
    expect(late.look(idOf("a"))).toMatchObject({ metadata: { name: "a" } });
    const seen = [one, other, shallow, late].map(eventsOf);
    server.put("b");
    server.put("a");
    server.remove("b");
    for (const events of seen)
      await expect.poll(() => events).toEqual(["added b", "updated a", "deleted b"]);
    expect(server.log).toEqual([`GET ${path("default")} watch`]);
  });

  it("keeps kinds, selectors and what is not deep enough apart", async () => {
    const { server, view } = open();
    const digest = ({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject => ({
      apiVersion,
      kind,
      metadata,
      digest: "d",
    });
    server.put("a", { data: { x: "1" } });
    const wishes = [
      view.use(configMaps, { namespace: "default", labelSelector: "app" }),
      view.use(configMaps, { namespace: "default", depth: digest }),
      view.use(configMaps, { namespace: "default", depth: "full" }),
      view.use(pods, { namespace: "default" }),
    ];
    await Promise.all(wishes.map(({ synced }) => synced));
    expect(server.log).toHaveLength(4);
    expect(wishes[1]?.get(idOf("a"))).toMatchObject({ digest: "d" });
    expect(wishes[1]?.get(idOf("a"))).not.toHaveProperty("data");
    view.use(configMaps, { namespace: "default", depth: digest });
    expect(server.log).toHaveLength(4);
  });

  it("never keeps the values of Secrets for those who only look", async () => {
    const { server, view } = open();
    const embedded = { apiVersion: "v1", kind: "Secret", metadata: {}, data: { key: "aGk=" } };
    server.put("a", { spec: embedded });
    const masked = view.use(configMaps, { depth: "masked" });
    await masked.synced;
    expect(JSON.stringify(masked.get(idOf("a")))).not.toContain("aGk=");
    masked.remember(server.put("a", { spec: embedded, more: true }));
    expect(masked.get(idOf("a"))).toHaveProperty("more");
    expect(JSON.stringify(masked.get(idOf("a")))).not.toContain("aGk=");
  });

  it("serves one namespace by a watch of all", async () => {
    const { server, view } = open();
    server.put("a");
    server.put("b", {}, "other");
    const all = view.use(configMaps);
    const one = view.use(configMaps, { namespace: "other" });
    const seen = eventsOf(one);
    await one.synced;
    expect([names(all), names(one)]).toEqual([["default/a", "other/b"], ["other/b"]]);
    expect(view.size()).toBe(2);
    server.put("c");
    server.put("d", {}, "other");
    await expect.poll(() => seen).toEqual(["added b", "added d"]);
    expect(server.log).toEqual(["GET /api/v1/configmaps watch"]);
  });

  it("releases all that a part of a process used", async () => {
    const { server, view } = open();
    const troubles: string[] = [];
    const used: string[] = [];
    const part = view.part({
      onTrouble: ({ kind }, error) => troubles.push(`${kind}: ${String(error)}`),
      onUse: ({ kind, state }) => used.push(`${kind.kind} ${state}`),
    });
    server.put("a");
    const other = view.use(configMaps);
    await other.synced;
    part.use(configMaps).subscribe(() => {
      throw new Error("a defect");
    });
    const released = part.use(pods);
    await released.synced;
    released.release();
    expect(used).toEqual(["ConfigMap watched", "Pod pending"]);
    expect([part.size(), part.part().size()]).toEqual([view.size(), view.size()]);
    server.put("b");
    await expect.poll(() => troubles).toEqual(["ConfigMap: Error: a defect"]);
    part.use(pods, { namespace: "default" });
    await part.close();
    expect(names(other)).toEqual(["default/a", "default/b"]);
    await expect.poll(() => server.openStreams).toBe(1);
    server.put("c");
    await expect.poll(() => names(other)).toHaveLength(3);
    expect(troubles).toHaveLength(1);
  });

  it("moves users to a wider or deeper watch that comes later, and reports what differs", async () => {
    const { server, view } = open();
    server.put("a");
    server.put("gone");
    const one = view.use(configMaps, { namespace: "default", depth: "metadata" });
    await one.synced;
    const seen = eventsOf(one);
    server.isHeld = true;
    server.put("a", { data: { x: "2" } });
    server.put("new");
    server.remove("gone");
    const all = view.use(configMaps);
    await all.synced;
    expect(seen).toEqual(["updated a", "added new", "deleted gone"]);
    expect(one.get(idOf("a"))).toMatchObject({ data: { x: "2" } });
    await expect.poll(() => server.openStreams).toBe(1);
    server.release();
    server.put("later");
    await expect.poll(() => seen.at(-1)).toBe("added later");
    expect(seen).toHaveLength(4);
  });

  it("shows our own writes until the watch has come that far", async () => {
    const { server, cluster } = open();
    const { view } = cluster;
    server.put("a");
    const one = view.use(configMaps, { namespace: "default" });
    await one.synced;
    server.isHeld = true;
    await cluster.apply({ ...configMaps, metadata: { name: "a" } }, { fieldManager: "us" });
    await cluster.apply({ ...configMaps, metadata: { name: "b" } }, { fieldManager: "us" });
    expect(one.get(idOf("a"))).toMatchObject({ data: { by: "us" } });
    expect(names(one)).toEqual(["default/a", "default/b"]);
    server.put("a", { data: { by: "somebody else" } });
    server.remove("b");
    expect(one.look(idOf("b"))).toMatchObject({ data: { by: "us" } });
    server.release();
    await expect.poll(() => one.look(idOf("b"))).toBe("absent");
    expect(one.get(idOf("a"))).toMatchObject({ data: { by: "somebody else" } });
    // What the watch knows to be older does not come back.
    const stale = server.put("c");
    server.remove("c");
    server.put("d");
    await expect.poll(() => names(one)).toEqual(["default/a", "default/d"]);
    view.remember(stale);
    expect(one.look(idOf("c"))).toBe("absent");
  });

  it("takes dry runs for what they are", async () => {
    const { server, cluster } = open();
    const one = cluster.view.use(configMaps, { namespace: "default" });
    await one.synced;
    server.isHeld = true;
    const options = { fieldManager: "us", dryRun: true };
    await cluster.apply({ ...configMaps, metadata: { name: "a" } }, options);
    expect(one.look(idOf("a"))).toBe("absent");
  });

  it("finds objects by an index, as they change", async () => {
    const { server, view } = open();
    const byColour = (object: KubernetesObject): readonly string[] => [
      (object["data"] as { readonly colour: string }).colour,
    ];
    server.put("a", { data: { colour: "red" } });
    const one = view.use(configMaps);
    await one.synced;
    const found = (colour: string): readonly unknown[] =>
      one.indexed(byColour, colour).map(({ metadata }) => metadata.name);
    expect([found("red"), one.indexed(byOwner, "x")]).toEqual([["a"], []]);
    server.put("b", { data: { colour: "red" } });
    await expect.poll(() => found("red")).toEqual(["a", "b"]);
    server.put("a", { data: { colour: "blue" } });
    await expect.poll(() => [found("red"), found("blue")]).toEqual([["b"], ["a"]]);
    server.remove("b");
    await expect.poll(() => found("red")).toEqual([]);
  });

  it("goes on for a while when nobody looks, and then ends", async () => {
    const { server, view } = open({ lingerMs: 20 });
    server.put("a");
    const one = view.use(configMaps);
    await one.synced;
    one.release();
    one.release();
    const again = view.use(configMaps);
    expect(names(again)).toEqual(["default/a"]);
    expect(server.log).toHaveLength(1);
    again.release();
    await expect.poll(() => server.openStreams).toBe(0);
    await view.use(configMaps).synced;
    expect(server.log).toHaveLength(2);
  });

  it("ends with all that runs, and whoever waits hears of it", async () => {
    const { server, view } = open();
    const one = view.use(configMaps);
    await one.synced;
    const { synced } = view.use(pods);
    await view.close();
    await expect(synced).rejects.toThrow("aborted");
    expect(server.openStreams).toBe(0);
  });

  it("reads the named objects again and again where watching is forbidden, and says so once", async () => {
    const { server, view, pauses } = open();
    server.refused = ["WATCH"];
    server.put("a");
    server.put("unnamed");
    const troubles: string[] = [];
    const states: string[] = [];
    const one: KindView = view.use(configMaps, {
      namespace: "default",
      wanted: () => [idOf("a"), idOf("b")],
      onTrouble: (error) => troubles.push(String(error)),
      onState: () => states.push(one.state),
    });
    const seen = eventsOf(one);
    await one.synced;
    expect([one.state, one.look(idOf("b")), one.look(idOf("c"))]).toEqual([
      "read",
      "absent",
      undefined,
    ]);
    server.put("b");
    await expect.poll(() => pauses.delays).toEqual([500]);
    pauses.end();
    await expect.poll(() => seen).toEqual(["added a", "added b"]);
    for (let round = 3; round < 10; round++) {
      await expect.poll(() => pauses.delays).toHaveLength(round - 1);
      pauses.end();
    }
    // Ever less often, and then a watch is tried again.
    expect(pauses.delays.slice(0, 5)).toEqual([500, 500, 750, 1125, 1687.5]);
    await expect.poll(() => server.log.filter((line) => line.endsWith("watch")).length).toBe(2);
    expect(server.log.slice(0, 3)).toEqual([
      `GET ${path("default")} watch`,
      `GET ${path("default")}/a`,
      `GET ${path("default")}/b`,
    ]);
    expect(troubles).toHaveLength(1);
    // Who comes later hears of it, too.
    const late: unknown[] = [];
    view.use(configMaps, { namespace: "default", onTrouble: (error) => late.push(error) });
    await expect.poll(() => late).toHaveLength(1);
    server.refused = [];
    await expect.poll(() => (pauses.end(), one.state)).toBe("watched");
    expect(names(one)).toEqual(["default/a", "default/b", "default/unnamed"]);
  });

  it("lists where watching is forbidden and nobody names objects", async () => {
    const { server, view, pauses } = open();
    server.refused = ["WATCH"];
    server.put("a");
    const one = view.use(configMaps, { namespace: "default" });
    await one.synced;
    expect([one.state, one.look(idOf("b"))]).toEqual(["read", "absent"]);
    server.remove("a");
    server.put("b");
    await expect.poll(() => pauses.delays).toHaveLength(1);
    pauses.end();
    await expect.poll(() => names(one)).toEqual(["default/b"]);
    expect(server.log).toEqual([
      `GET ${path("default")} watch`,
      `GET ${path("default")}?limit=500`,
      `GET ${path("default")}?limit=500`,
    ]);
  });

  it("says that nothing is known where neither is allowed, and reads what is named", async () => {
    const { server, view } = open();
    server.refused = ["WATCH", `GET ${path("default")}`];
    const all = view.use(configMaps, { namespace: "default" });
    await expect(all.synced).rejects.toThrow("may not list configmaps");
    expect([all.state, all.look(idOf("a"))]).toEqual(["forbidden", undefined]);
    server.refused = ["WATCH", `GET ${path("default")}?`];
    const named = view.use(configMaps, { namespace: "default", wanted: () => [idOf("a")] });
    await expect.poll(() => named.look(idOf("a"))).toBe("absent");
  });

  it("watches one namespace where all may not be watched", async () => {
    const { server, view } = open();
    server.refused = ["WATCH /api/v1/configmaps", "GET /api/v1/configmaps"];
    server.put("a");
    const all = view.use(configMaps);
    const one = view.use(configMaps, { namespace: "default" });
    await expect.poll(() => [all.state, one.state]).toEqual(["forbidden", "watched"]);
    expect(names(one)).toEqual(["default/a"]);
    expect(view.use(configMaps, { namespace: "default" }).state).toBe("watched");
  });

  it("begins a watch again that failed at the start, and reads meanwhile", async () => {
    const { server, cluster, pauses } = open();
    server.put("a");
    const troubles: unknown[] = [];
    let failures = 3;
    const source = {
      ...cluster,
      list: (...listed: Parameters<typeof cluster.list>) => {
        if (failures > 0) throw new Error("not yet");
        return cluster.list(...listed);
      },
      watch: (...watched: Parameters<typeof cluster.watch>) => {
        if (failures-- > 0) throw new Error("not yet");
        return cluster.watch(...watched);
      },
    };
    const flaky = openClusterView(source, { timing: pauses.timing });
    closers.push(() => flaky.close());
    const one = flaky.use(configMaps, { onTrouble: (error) => troubles.push(error) });
    await expect(one.synced).rejects.toThrow("not yet");
    expect([one.state, String(one.problem)]).toEqual(["pending", "Error: not yet"]);
    await expect.poll(() => pauses.delays).toEqual([250]);
    pauses.end();
    await expect.poll(() => pauses.delays).toEqual([250, 500]);
    // Who needs it now does not wait.
    const other = flaky.use(configMaps);
    await expect.poll(() => pauses.delays).toEqual([250, 500, 1000]);
    expect([one.state, names(other)]).toEqual(["read", ["default/a"]]);
    pauses.end();
    await expect.poll(() => [one.state, other.state]).toEqual(["watched", "watched"]);
    expect(troubles).toHaveLength(1);
  });

  it.each<readonly [string, ScriptedAnswer | "silence"]>([
    ["is silent", "silence"],
    ["ends at once", { lines: [] }],
    ["is not found", { status: 404, json: "404 page not found" }],
    ["is a page", { headers: { "content-type": "text/html" }, lines: ["<html>"] }],
    ["is {}", { lines: [{}] }],
    ["is null", { lines: [null] }],
    ["is []", { lines: [[]] }],
    ["tells of nothing", { lines: [{ type: "ADDED", object: {} }] }],
  ])("reads where a watch %s", async (_what, watch) => {
    const { server, view, pauses } = open({ silenceMs: 5 });
    server.watchAnswer = watch;
    server.put("a");
    const all = view.use(configMaps, { namespace: "default" });
    await expect.poll(() => names(all)).toEqual(["default/a"]);
    server.put("b");
    server.remove("a");
    await expect.poll(() => (pauses.end(), names(all))).toEqual(["default/b"]);
    const named = view.use(configMaps, { namespace: "other", wanted: () => [idOf("c", "other")] });
    await expect.poll(() => (pauses.end(), named.look(idOf("c", "other")))).toBe("absent");
  });

  it("reads what somebody waits for where a watch has become silent", async () => {
    const { server, view } = open({ silenceMs: 5 });
    server.put("a");
    server.put("b");
    const waiting = view.use(configMaps, {
      namespace: "default",
      wanted: () => [idOf("a"), idOf("c")],
    });
    await waiting.synced;
    server.isHeld = true;
    server.remove("a");
    server.remove("b");
    const { metadata } = server.put("c");
    await expect.poll(() => waiting.look(idOf("a"))).toBe("absent");
    await expect.poll(() => waiting.look(idOf("c"))).toMatchObject({ metadata: { name: "c" } });
    // Nobody waits for this one.
    expect(waiting.look(idOf("b"))).toMatchObject({ metadata: { name: "b" } });
    // What the watch tells in the end is no news.
    server.release();
    await expect.poll(() => waiting.look(idOf("b"))).toBe("absent");
    expect(waiting.get(idOf("c"))?.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it("reads where a watch does not tell of our own write", async () => {
    const { server, cluster } = open();
    const view = openClusterView(cluster, { silenceMs: 5 });
    closers.push(() => view.close());
    const one = view.use(configMaps, { namespace: "default" });
    await one.synced;
    server.isHeld = true;
    server.put("unseen");
    one.remember(server.put("ours"));
    await expect.poll(() => names(one)).toEqual(["default/unseen", "default/ours"]);
    expect(server.log.filter((line) => line.includes("limit"))).not.toEqual([]);
  });

  it("asks nothing beside a watch for which nobody waits", async () => {
    const { server, view } = open({ silenceMs: 1 });
    const one = view.use(configMaps, { namespace: "default" });
    await one.synced;
    const other = view.use(pods, { namespace: "default", wanted: () => [] });
    await other.synced;
    const asked = server.log.length;
    let looks = 0;
    const beside = lookBeside({ silenceMs: 1, told: () => 0, read: async () => ++looks === 0 });
    await expect.poll(() => looks).toBeGreaterThan(3);
    beside();
    expect(server.log.slice(asked)).toEqual([]);
  });

  it("waits until it is woken for a kind that nobody serves", async () => {
    const { server, view, pauses } = open();
    const one = view.use({ apiVersion: "v1", kind: "Nothing" });
    await expect(one.synced).rejects.toThrow("does not serve Nothing");
    expect([one.state, one.look(idOf("a"))]).toEqual(["unserved", undefined]);
    const before = server.transport.log.length;
    one.wake();
    await expect.poll(() => server.transport.log.length).toBeGreaterThan(before);
    expect(pauses.delays).toEqual([]);
  });

  it("is spared the failure of one who listens", async () => {
    const { server, view } = open();
    const troubles: string[] = [];
    const bad = view.use(configMaps, { onTrouble: (error) => troubles.push(String(error)) });
    bad.subscribe(() => {
      throw new Error("a defect");
    });
    const good = view.use(configMaps);
    const seen = eventsOf(good);
    await good.synced;
    server.put("a");
    await expect.poll(() => seen).toEqual(["added a"]);
    expect(troubles).toEqual(["Error: a defect"]);
  });
});
