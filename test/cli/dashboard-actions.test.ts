import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterActions } from "../../src/cli/dashboard/cluster-actions.ts";
import { SourcePlans } from "../../src/cli/dashboard/source-plans.ts";
import { withProviders } from "../../src/cli/dashboard/with-providers.ts";
import { readProject } from "../../src/cli/source/project.ts";
import type { PlanAnswer, PlanView } from "../../src/dashboard/control-view.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { password, type ShopWorld, shopWorld } from "../browser/shop-world.ts";
import { deployment } from "../devloop/dev-project.ts";
import { type Answer, type Asking, DashboardClient } from "./dashboard-client.ts";
import { quietContext } from "./quiet-context.ts";

let folder: string;
let world: ShopWorld;
const servers: DashboardServer[] = [];
let client: DashboardClient;
let reader: DashboardClient;

const page = new URL("../../web/", import.meta.url);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-actions-"));
  await writeFile(join(folder, "keelson.json"), '{"project": "side"}');
  world = await shopWorld(page);
  await world.apply(["web", "cart"]);
  const { cluster } = world;
  const context = quietContext(folder);
  const project = await readProject(context, ".", undefined);
  const opened = { cluster, namespace: "default" };
  const shared = { cluster, description: "the shop", port: 0, page };
  const plans = new SourcePlans(context, { input: ".", project, opened });
  const actions = new ClusterActions(context, {
    cluster,
    withProviders: withProviders(context, "."),
  });
  servers.push(
    await serveDashboard({ ...shared, actions, plans }),
    await serveDashboard({ ...shared, plans }),
  );
  const [acting, reading] = servers.map(({ link }) => new DashboardClient(link));
  if (acting === undefined || reading === undefined) throw new Error("there are two");
  [client, reader] = [acting, reading];
  await client.enter();
  await reader.enter();
  await client.view(({ isComplete, components }) => isComplete && components.length === 3);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await world.close();
  await rm(folder, { recursive: true });
});

const cart = "shop/shop-shop/cart";
const restart = { kind: "restart", component: cart } as const;
const cartReference = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "shop",
  name: "cart",
};

async function plan(): Promise<PlanView> {
  const answer = JSON.parse((await client.ask("/api/plan")).body) as PlanAnswer;
  if (answer.kind === "failed") throw new Error(JSON.stringify(answer.diagnostics));
  return answer.plan;
}

describe("an action is refused when it comes", () => {
  const act = (headers: Asking["headers"]) => (): Promise<Answer> => client.act(restart, headers);

  it.each<[string, () => Promise<Answer>, number]>([
    ["without an origin", act({ origin: undefined }), 403],
    ["from another origin", act({ origin: "http://evil.example" }), 403],
    ["from a page of another port", act({ origin: "http://127.0.0.1:1" }), 403],
    ["from a page without an origin", act({ origin: "null" }), 403],
    ["from another site", act({ "sec-fetch-site": "cross-site" }), 403],
    ["from a neighbour", act({ "sec-fetch-site": "same-site" }), 403],
    ["from outside of a page", act({ "sec-fetch-site": "none" }), 403],
    [
      "from another site by a form",
      act({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }),
      403,
    ],
    ["as text", act({ "content-type": "text/plain" }), 403],
    ["as a form", act({ "content-type": "application/x-www-form-urlencoded" }), 403],
    ["without our header", act({ "x-keelson-action": undefined }), 403],
    ["without the cookie", act({ cookie: undefined }), 401],
    ["with another cookie", act({ cookie: "keelson-dashboard-1=guess" }), 401],
    ["under another name of this machine", act({ host: "evil.example" }), 421],
    ["with another method", () => client.ask("/api/actions", { method: "PUT" }), 405],
    ["to another place", () => client.ask("/api/plan", { method: "POST" }), 405],
    ["as a question", () => client.ask("/api/actions"), 404],
  ])("%s", async (_what, run, status) => {
    expect((await run()).status).toBe(status);
    const { spec } = await world.cluster.get(cartReference);
    expect(JSON.stringify(spec)).not.toContain("restartedAt");
  });

  it("with the token in the place of the cookie", async () => {
    const { search } = new URL(servers[0]?.link ?? "");
    const { status } = await client.ask(`/api/actions${search}`, {
      method: "POST",
      headers: {
        cookie: undefined,
        origin: new URL(servers[0]?.link ?? "").origin,
        "content-type": "application/json",
        "x-keelson-action": "1",
      },
      body: JSON.stringify(restart),
    });
    expect(status).toBe(401);
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "restart", 400, "dashboard.bad-request"],
    ["no object", "[]", 400, "dashboard.bad-request"],
    ["no known kind", '{"kind":"explode","component":"a"}', 400, "dashboard.bad-request"],
    ["too long", `{"kind":"${"x".repeat(70_000)}"}`, 400, "dashboard.bad-request"],
    ["without a target", '{"kind":"restart"}', 400, "dashboard.bad-request"],
    ["without a word", JSON.stringify({ kind: "delete", component: cart }), 400, "bad-request"],
    [
      "with the wrong word",
      JSON.stringify({ kind: "delete", component: cart, confirmation: "web" }),
      400,
      "dashboard.unconfirmed",
    ],
    [
      "for an inventory with the wrong word",
      JSON.stringify({ kind: "destroy", inventory: "shop/shop-shop", confirmation: "yes" }),
      400,
      "dashboard.unconfirmed",
    ],
    ["for nothing", '{"kind":"restart","component":"nobody"}', 404, "dashboard.not-offered"],
    [
      "for what cannot be triggered",
      JSON.stringify({ kind: "trigger", component: cart }),
      404,
      "dashboard.not-offered",
    ],
    [
      "for no inventory",
      '{"kind":"destroy","inventory":"nobody","confirmation":"nobody"}',
      404,
      "dashboard.not-offered",
    ],
  ])("as %s", async (_what, body, status, code) => {
    const answer = await client.act(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(code);
  });

  it("to a server that is only for reading, whatever it is", async () => {
    for (const order of [
      restart,
      { kind: "apply", plan: "any" } as const,
      { kind: "destroy", inventory: "shop/shop-shop", confirmation: "shop" } as const,
    ]) {
      const { status, body } = await reader.act(order);
      expect(status).toBe(403);
      expect(body).toContain("dashboard.read-only");
    }
    const { control, components } = await reader.view(({ isComplete }) => isComplete);
    expect(control).toMatchObject({ isReadOnly: true, canApply: false, destroyable: [] });
    expect(components.flatMap(({ offers }) => offers)).toEqual([]);
  });
});

it("does one thing at a time with the same component", async () => {
  const answers = await Promise.all([client.act(restart), client.act(restart)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
  expect(answers.map(({ body }) => body).join("")).toContain("dashboard.busy");
  const { control } = await client.view(({ control: { actions } }) =>
    actions.some(({ status }) => status === "done"),
  );
  expect(control.actions[0]).toMatchObject({ status: "done", message: "cart was restarted" });
});

it("does not wait for a rollout that is paused", async () => {
  await world.cluster.patch(cartReference, "merge", { spec: { paused: true } });
  const { status, diagnostics } = await client.done(restart);
  expect(status).toBe("failed");
  expect(diagnostics).toMatchObject([
    { code: "live.restart", hint: "kubectl rollout resume deployment/cart" },
  ]);
  await world.cluster.patch(cartReference, "merge", { spec: { paused: false } });
});

describe("a plan", () => {
  it("tells no secret, and is carried out once", async () => {
    const object = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "key" },
      stringData: { password },
    };
    await writeFile(join(folder, "key.json"), JSON.stringify(object));
    const { id, objects } = await plan();
    const text = JSON.stringify(objects);
    expect(objects).toMatchObject([{ name: "Secret default/key", action: "create" }]);
    expect(text).not.toContain(password);
    expect(text).toContain("***");
    expect(await client.done({ kind: "apply", plan: id })).toMatchObject({
      status: "done",
      message: "1 created",
    });
    expect(await client.done({ kind: "apply", plan: id })).toMatchObject({
      status: "failed",
      diagnostics: [{ code: "dashboard.unknown-plan" }],
    });
  });

  it("of a source that cannot be read says what is wrong", async () => {
    await writeFile(join(folder, "broken.yaml"), "kind: [");
    const answer = JSON.parse((await client.ask("/api/plan")).body) as PlanAnswer;
    expect(answer).toMatchObject({ kind: "failed", diagnostics: [{ severity: "error" }] });
    expect(JSON.stringify(answer)).toContain("broken.yaml");
    await rm(join(folder, "broken.yaml"));
  });

  it("whose apply does not end well says what failed", async () => {
    const broken = deployment("broken").replace(
      '"annotations":{}',
      '"annotations":{"sandbox.keelson.dev/trouble":"image-pull-error"}',
    );
    await writeFile(join(folder, "broken.json"), broken);
    const { id } = await plan();
    const { status, diagnostics } = await client.done({ kind: "apply", plan: id });
    expect(status).toBe("failed");
    expect(diagnostics).toMatchObject([{ code: "dashboard.action-failed" }]);
    expect(diagnostics[0]?.detail).toContain("Deployment.apps default/broken is not going to be");
  });
});

it("applies a program, and has its providers take away what they made", async () => {
  const home = join(folder, "program");
  await mkdir(home);
  await writeFile(join(home, "keelson.json"), '{"project": "notes"}');
  await writeFile(
    join(home, "main.ts"),
    `import { k8s, local } from "keelson";
const secret = new k8s.Secret("note-key", { stringData: { password: "${password}" } });
new k8s.ConfigMap("note-map", { data: { color: "blue", key: "${password}" } }, { secret: ["data.key"] });
new local.File("note", { path: "${join(home, "note.txt")}", content: \`of \${secret.metadata.uid}\` });
`,
  );
  const { cluster } = world;
  const context = quietContext(home);
  const project = await readProject(context, ".", undefined);
  const server = await serveDashboard({
    cluster,
    description: "notes",
    port: 0,
    page,
    plans: new SourcePlans(context, {
      input: ".",
      project,
      opened: { cluster, namespace: "default" },
    }),
    actions: new ClusterActions(context, { cluster, withProviders: withProviders(context, ".") }),
  });
  servers.push(server);
  const notes = new DashboardClient(server.link);
  await notes.enter();
  const { body } = await notes.ask("/api/plan");
  const { plan: made } = JSON.parse(body) as { readonly plan: PlanView };
  expect(made.objects.map(({ name }) => name)).toContainEqual(
    expect.stringMatching(/^File .*note$/),
  );
  expect(body).not.toContain(password);
  const applied = await notes.done({ kind: "apply", plan: made.id });
  expect(applied.diagnostics).toEqual([]);
  expect(await readFile(join(home, "note.txt"), "utf8")).toMatch(/^of [\w-]+$/);
  const inventory = "default/notes-dev-default";
  const seen = await notes.view(
    ({ components, control }) =>
      control.destroyable.includes(inventory) &&
      components.some((each) => each.inventory === inventory),
  );
  const details = await Promise.all(
    seen.components.map(({ key }) => notes.ask(`/api/component?key=${encodeURIComponent(key)}`)),
  );
  const shown = details.map(({ body: text }) => text).join("\n");
  expect(shown).toContain('key: \\"***\\"');
  expect(shown).toContain("color: blue");
  expect(shown).not.toContain(password);
  const all = { kind: "destroy", inventory, confirmation: "notes-dev" } as const;
  expect(await notes.done(all)).toMatchObject({ status: "done" });
  expect(existsSync(join(home, "note.txt"))).toBe(false);
});

it("deletes what is named, and keeps a namespace that others are in", async () => {
  const uncategorized = "shop/shop-shop/uncategorized";
  const order = {
    kind: "delete",
    component: uncategorized,
    confirmation: "uncategorized",
  } as const;
  const kept = await client.done(order);
  expect(kept.status).toBe("done");
  expect(kept.message).toContain("Namespace shop kept: it holds objects that stay");
  expect(
    await world.cluster.find({ apiVersion: "v1", kind: "Namespace", name: "shop" }),
  ).toBeDefined();
  const gone = { kind: "delete", component: cart, confirmation: "cart" } as const;
  expect(await client.done(gone)).toMatchObject({ status: "done", message: "3 deleted" });
  expect(await world.cluster.find(cartReference)).toBeUndefined();
  const { inventories } = await client.view(({ components }) =>
    components.every(({ name }) => name !== "cart"),
  );
  expect(inventories.find(({ id }) => id === "shop-shop")?.objects).toBe(4);
  const all = { kind: "destroy", inventory: "shop/shop-shop", confirmation: "shop" } as const;
  expect(await client.done(all)).toMatchObject({ status: "done", message: "4 deleted" });
});
