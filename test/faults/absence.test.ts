import { afterEach, describe, expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/index.ts";
import type { RunEvent } from "../../src/events/index.ts";
import { FaultWorld, objectsOf } from "./fault-world.ts";
import { hideGroup, type Lie } from "./lying-transport.ts";
import { after, before } from "./packages.ts";

const deployments = ["a", "b", "c"].map((name) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "default" },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "web:1" }] },
    },
  },
}));
const text = (objects: readonly object[]): string =>
  objects.map((object) => JSON.stringify(object)).join("\n---\n");
const rest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "rest", namespace: "default" },
};
const keys = [
  "apps/Deployment/default/a",
  "apps/Deployment/default/b",
  "apps/Deployment/default/c",
];

const isListOf =
  (plural: string) =>
  ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
    method === "GET" && path.endsWith(`/${plural}`);
const instead =
  (matches: (request: { method: string; path: string }) => boolean, answer: string): Lie =>
  (request) =>
    matches(request) ? { status: 200, text: answer } : undefined;
const readsDeployment = ({ method, path }: { method: string; path: string }): boolean =>
  method === "GET" && path.includes("/deployments");
const emptied: Lie = (request, { text: said }) =>
  isListOf("deployments")(request)
    ? { text: JSON.stringify({ ...(JSON.parse(said) as object), items: [] }) }
    : undefined;
const unserved: Lie = (request, answer) =>
  hideGroup("apps")(request, answer) ??
  (request.path.startsWith("/apis/apps/")
    ? { status: 404, text: "404 page not found\n" }
    : undefined);

/** What may be said of objects that are there, by a server or something in between. */
const lies: readonly (readonly [string, Lie])[] = [
  ["the group is missing in discovery", hideGroup("apps")],
  ["the group is missing, and its paths are not served", unserved],
  ["a list is empty", emptied],
  [
    "a list has no items",
    instead(
      isListOf("deployments"),
      '{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{"resourceVersion":"1"}}',
    ),
  ],
  [
    "a list is cut, and single objects are a page of a proxy",
    (request) =>
      readsDeployment(request)
        ? { status: 404, headers: { "content-type": "text/html" }, text: "<html>not found</html>" }
        : undefined,
  ],
  [
    "paths are not found",
    (request) =>
      readsDeployment(request) ? { status: 404, text: "404 page not found\n" } : undefined,
  ],
  [
    "a Status of something else",
    (request) =>
      readsDeployment(request)
        ? {
            status: 404,
            text: '{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"details":{}}',
          }
        : undefined,
  ],
  ...["{}", "null", "[]", '""', "<html></html>", ""].map(
    (answer) =>
      [`reads answer ${JSON.stringify(answer)}`, instead(readsDeployment, answer)] as const,
  ),
  ...[
    "{}",
    "null",
    "[]",
    "<html></html>",
    '{"kind":"APIGroupDiscoveryList","items":[]}',
    '{"kind":"APIGroupList","groups":[]}',
  ].map(
    (answer) =>
      [`discovery answers ${answer}`, instead(({ path }) => path === "/apis", answer)] as const,
  ),
  ["all of discovery answers {}", instead(({ path }) => path === "/apis" || path === "/api", "{}")],
];

describe("what is owned stays known as long as nobody has said that it is gone", () => {
  let world: FaultWorld | undefined;
  afterEach(() => {
    world?.close();
  });
  const applied = async (): Promise<FaultWorld> => {
    world = new FaultWorld();
    const run = await world.apply(world.client().cluster, text([...deployments, rest]));
    expect(run).toMatchObject({ hasFailures: false, hasRefusals: false });
    return world;
  };
  /** Whatever a misled run did: nothing is lost, and one that is told the truth ends it well. */
  const isWhole = (own: FaultWorld): void => {
    expect(own.violations).toEqual([]);
    const there = keys.filter((key) => own.owned().includes(key));
    expect(own.inventory()).toEqual(expect.arrayContaining(there));
  };

  describe.each(lies)("when %s", (_what, lie) => {
    it("a prune forgets nothing", async () => {
      const own = await applied();
      const run = await own.apply(own.misled(lie).cluster, text([rest]));
      if (run !== undefined && own.owned().length > 1)
        expect(run.hasRefusals || run.hasFailures).toBe(true);
      isWhole(own);
      const honest = await own.apply(own.client().cluster, text([rest]));
      expect(honest).toMatchObject({ hasFailures: false, hasRefusals: false });
      expect(own.owned()).toEqual(["/ConfigMap/default/rest"]);
      expect(own.inventory()).toEqual(["/ConfigMap/default/rest"]);
    });

    it("a destroy forgets nothing", async () => {
      const own = await applied();
      const run = await own.destroy(own.misled(lie).cluster);
      if (run !== undefined && own.owned().length > 0)
        expect(run.hasRefusals || run.hasFailures).toBe(true);
      isWhole(own);
      const honest = await own.destroy(own.client().cluster);
      expect(honest).toMatchObject({ hasFailures: false, hasRefusals: false });
      expect([own.owned(), own.inventory()]).toEqual([[], []]);
    });

    it("an apply of the same forgets nothing", async () => {
      const own = await applied();
      await own.apply(own.misled(lie).cluster, text([...deployments, rest]));
      isWhole(own);
      expect(own.inventory()).toEqual(["/ConfigMap/default/rest", ...keys]);
    });
  });

  it("what nobody serves stays, with the reason, as a refusal", async () => {
    const own = await applied();
    const events: RunEvent[] = [];
    const emit = (event: RunEvent): void => void events.push(event);
    const run = await own.apply(own.misled(hideGroup("apps")).cluster, text([rest]), { emit });
    expect(run).toMatchObject({ hasFailures: false, hasRefusals: true });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "prune",
        status: "skipped",
        reason: "NotChecked",
        message:
          "the cluster does not serve Deployment.apps, so nobody knows whether it is there; if its kind was removed, --forget-kind Deployment.apps forgets it",
      }),
    );
  });

  it("a cluster that does not serve inventories for a moment is not an empty one", async () => {
    const own = await applied();
    const misled = own.misled(hideGroup("kpt.dev")).cluster;
    await expect(own.applyOrFail(misled, text([rest]))).rejects.toMatchObject({
      diagnostics: [{ code: "live.inventories-not-served" }],
    });
    expect(await own.destroy(misled)).toBeUndefined();
    expect(own.inventory()).toHaveLength(4);
  });

  it("who may not find out whether there are inventories destroys nothing, and is told", async () => {
    const own = await applied();
    const lie: Lie = (request, answer) =>
      request.path.includes("/customresourcedefinitions/")
        ? { status: 403, text: '{"kind":"Status","reason":"Forbidden","code":403}' }
        : hideGroup("kpt.dev")(request, answer);
    expect(await own.destroy(own.misled(lie).cluster)).toBeUndefined();
    expect(own.inventory()).toHaveLength(4);
  });

  it("an interrupted run forgets nothing that nobody could look at", async () => {
    const own = await applied();
    const stop = new AbortController();
    const emit = ({ type }: RunEvent): void => {
      if (type === "plan") stop.abort();
    };
    await own.apply(own.misled(hideGroup("apps")).cluster, text([rest]), {
      emit,
      signal: stop.signal,
    });
    isWhole(own);
    expect(own.inventory()).toHaveLength(4);
  });

  it("what depends on something that failed is not forgotten because a list left it out", async () => {
    const own = await applied();
    const on = { "config.kubernetes.io/depends-on": "/namespaces/default/ConfigMap/bad" };
    const waiting = deployments.map((each) => ({
      ...each,
      metadata: { ...each.metadata, annotations: on },
    }));
    const bad = { ...rest, metadata: { ...rest.metadata, name: "bad" }, data: { a: "b" } };
    const lie: Lie = (request, answer) =>
      request.method === "PATCH" && request.path.endsWith("/configmaps/bad")
        ? { status: 403, text: '{"kind":"Status","reason":"Forbidden","code":403}' }
        : emptied(request, answer);
    const run = await own.apply(own.misled(lie).cluster, text([...waiting, bad, rest]));
    expect(run?.hasFailures).toBe(true);
    isWhole(own);
  });
});

describe("a kind that is gone for good", () => {
  let world: FaultWorld | undefined;
  afterEach(() => {
    world?.close();
  });
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    name: "widgets.example.com",
  };
  const without = async (own: FaultWorld): Promise<Cluster> => {
    const { cluster } = own.client();
    await cluster.delete(definition);
    await expect.poll(() => cluster.find(definition)).toBeUndefined();
    await cluster.refreshResources();
    return cluster;
  };

  it("takes its objects with it where the inventory owns its definition", async () => {
    world = new FaultWorld();
    await world.apply(world.client().cluster, before);
    const cluster = await without(world);
    expect(await world.apply(cluster, after)).toMatchObject({
      hasFailures: false,
      hasRefusals: false,
    });
    expect(world.inventory()).not.toContain("example.com/Widget/team/first");
  });

  it("is given up only by its name, where the definition is somebody else's", async () => {
    world = new FaultWorld();
    const { cluster } = world.client();
    const [made] = objectsOf(before).filter(
      ({ object }) => object.metadata.name === definition.name,
    );
    if (made === undefined) throw new Error("no definition");
    await cluster.apply(made.object, { fieldManager: "somebody" });
    await expect
      .poll(async () => (await cluster.refreshResources()).preferred("example.com", "Widget"))
      .toBeDefined();
    const widget = {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: "default" },
    };
    expect(await world.apply(cluster, text([rest, widget]))).toMatchObject({ hasFailures: false });
    const left = await without(world);
    for (const forgetKinds of [undefined, ["Gadget.example.com"]]) {
      expect(await world.apply(left, text([rest]), { forgetKinds })).toMatchObject({
        hasFailures: false,
        hasRefusals: true,
      });
      expect(world.inventory()).toContain("example.com/Widget/default/w");
    }
    const run = await world.apply(left, text([rest]), { forgetKinds: ["Widget.example.com"] });
    expect(run).toMatchObject({ hasFailures: false, hasRefusals: false });
    expect(world.inventory()).toEqual(["/ConfigMap/default/rest"]);
  });

  it("is not given up while it is served, or while the server of its group does not answer", async () => {
    world = new FaultWorld();
    await world.apply(world.client().cluster, text([...deployments, rest]));
    const stale: Lie = ({ path }, { text: said }) => {
      if (path !== "/apis") return undefined;
      const list = JSON.parse(said) as { items: { metadata: { name: string } }[] };
      const items = list.items.map((item) =>
        item.metadata.name === "apps"
          ? { ...item, versions: [{ version: "v1", freshness: "Stale", resources: [] }] }
          : item,
      );
      return { headers: {}, text: JSON.stringify({ ...list, items }) };
    };
    const run = await world.apply(world.misled(stale).cluster, text([rest]), {
      forgetKinds: ["Deployment.apps"],
    });
    expect(run).toMatchObject({ hasRefusals: true });
    expect(world.inventory()).toHaveLength(4);
  });
});
