import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Cluster } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { OwnedStep } from "../plan/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { inProcessCluster } from "../sandbox/in-process-cluster.ts";
import { carryOut } from "./carry-out.ts";
import { OwnedWriter } from "./owned-writer.ts";

const labels = { owner: "ours" };
const map = (name: string, data: Readonly<Record<string, unknown>> = {}): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels },
  data,
});

let sandbox: Sandbox;
let cluster: Cluster;
/** What was sent, as `apply a`. */
const sent: string[] = [];
/** What a watch shows, which may be late. */
const seen = new Map<string, KubernetesObject>();
let writer: OwnedWriter;
beforeEach(() => {
  sent.length = 0;
  seen.clear();
  sandbox = openSandbox({ workloads: false });
  const inner = inProcessCluster(sandbox, { namespace: "default" });
  cluster = {
    ...inner,
    apply: (object, options) => {
      sent.push(`apply ${object.metadata.name ?? ""}`);
      return inner.apply(object, options);
    },
    delete: (reference, options) => {
      sent.push(`delete ${reference.name}`);
      return inner.delete(reference, options);
    },
  };
  writer = new OwnedWriter({
    manager: "test",
    propagationPolicy: "Background",
    signal: new AbortController().signal,
    objects: {
      find: ({ metadata }) => seen.get(metadata.name ?? ""),
      written: (_step, _desired, answer) => {
        seen.set(answer.metadata.name ?? "", answer);
      },
      leaving: () => undefined,
      replacing: new Set(),
    },
    as: (_step, work) => work(cluster),
    isOwn: ({ metadata }) => metadata.labels?.["owner"] === labels.owner,
    taken: ({ metadata }) => `${metadata.name ?? ""} is somebody else's`,
    marksOf: () => ({}),
    masked: (text) => text,
  });
});
afterEach(async () => {
  await cluster.close();
  sandbox.close();
});

/** Carries out what a function says is next. */
function run(next: () => readonly OwnedStep[]): Promise<unknown> {
  return carryOut({
    writer,
    look: () => ({ actions: next(), status: {} }),
    readMore: () => Promise.resolve(false),
    prepare: () => Promise.resolve(true),
    act: () => Promise.resolve(),
    report: () => Promise.resolve(),
    signal: new AbortController().signal,
  });
}

const apply = (object: KubernetesObject): OwnedStep => ({
  kind: "apply",
  step: object.metadata.name ?? "",
  object,
});

describe("an owner", () => {
  it("is looked at again after each step, with the answer to it", async () => {
    await run(() => {
      const first = seen.get("a");
      if (first === undefined) return [apply(map("a", { value: "1" }))];
      return seen.has("b") ? [] : [apply(map("b", { from: first.metadata.uid }))];
    });
    expect(sent).toEqual(["apply a", "apply b"]);
    expect(seen.get("b")?.["data"]).toEqual({ from: seen.get("a")?.metadata.uid });
    expect(writer.takeChanges().map(({ key, action }) => `${action} ${key}`)).toEqual([
      "created /ConfigMap/default/a",
      "created /ConfigMap/default/b",
    ]);
    expect(writer.takeChanges()).toEqual([]);
  });

  it("does not delete twice what a late watch still shows", async () => {
    const live = await cluster.create(map("old"));
    await run(() => {
      const object = writer.present(live);
      return object === undefined ? [] : [{ kind: "delete", step: "old", object }];
    });
    expect(sent).toEqual(["delete old"]);
  });

  it("goes on with the rest when a step is refused, and does not try it again", async () => {
    const wrong = map("wrong", { "no key": "1" });
    await run(() => [apply(wrong), ...(seen.has("right") ? [] : [apply(map("right"))])]);
    expect(sent.toSorted()).toEqual(["apply right", "apply wrong"]);
    expect([...writer.troubles]).toMatchObject([["wrong", { kind: "apply", isRetried: false }]]);
    expect(writer.takeChanges()).toContainEqual({
      key: "/ConfigMap/default/wrong",
      action: "failed",
    });
  });

  it("leaves an object of somebody else as it is, and takes its own that no watch shows", async () => {
    const theirs = { name: "taken", namespace: "default" };
    await cluster.create({ ...map("taken", { value: "theirs" }), metadata: theirs });
    await cluster.create(map("own", { value: "before" }));
    const steps = [apply(map("taken", { value: "ours" })), apply(map("own", { value: "after" }))];
    await run(() => steps.filter(({ step }) => !seen.has(step)));
    expect(writer.troubles.get("taken")?.message).toBe("taken is somebody else's");
    const find = (name: string): Promise<KubernetesObject | undefined> =>
      cluster.find({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name });
    expect((await find("taken"))?.["data"]).toEqual({ value: "theirs" });
    expect((await find("own"))?.["data"]).toEqual({ value: "after" });
  });
});
