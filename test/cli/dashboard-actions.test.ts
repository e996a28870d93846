import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlanAnswer, PlanView } from "../../src/dashboard/control-view.ts";
import { password } from "../browser/shop-world.ts";
import { deployment } from "../devloop/dev-project.ts";
import { cart, cartReference, type DashboardShop, openDashboardShop } from "./dashboard-shop.ts";

let shop: DashboardShop;

beforeEach(async () => {
  shop = await openDashboardShop();
});

afterEach(() => shop.close());

const restart = { kind: "restart", component: cart } as const;

async function plan(): Promise<PlanView> {
  const answer = JSON.parse((await shop.client.ask("/api/plan")).body) as PlanAnswer;
  if (answer.kind === "failed") throw new Error(JSON.stringify(answer.diagnostics));
  return answer.plan;
}

it("does one thing at a time with the same component", async () => {
  const answers = await Promise.all([shop.client.act(restart), shop.client.act(restart)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
  expect(answers.map(({ body }) => body).join("")).toContain("dashboard.busy");
  const { control } = await shop.client.view(({ control: { actions } }) =>
    actions.some(({ status }) => status === "done"),
  );
  expect(control.actions[0]).toMatchObject({ status: "done", message: "cart was restarted" });
});

it("does not wait for a rollout that is paused", async () => {
  await shop.cluster.patch(cartReference, "merge", { spec: { paused: true } });
  const { status, diagnostics } = await shop.client.done(restart);
  expect(status).toBe("failed");
  expect(diagnostics).toMatchObject([
    { code: "live.restart", hint: "kubectl rollout resume deployment/cart" },
  ]);
});

describe("a plan", () => {
  it("tells no secret, and is carried out once", async () => {
    const object = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "key" },
      stringData: { password },
    };
    await writeFile(join(shop.folder, "key.json"), JSON.stringify(object));
    const { id, objects } = await plan();
    const text = JSON.stringify(objects);
    expect(objects).toMatchObject([{ name: "Secret default/key", action: "create" }]);
    expect(text).not.toContain(password);
    expect(text).toContain("***");
    expect(await shop.client.done({ kind: "apply", plan: id })).toMatchObject({
      status: "done",
      message: "1 created",
    });
    expect(await shop.client.done({ kind: "apply", plan: id })).toMatchObject({
      status: "failed",
      diagnostics: [{ code: "dashboard.unknown-plan" }],
    });
  });

  it("of a source that cannot be read says what is wrong", async () => {
    await writeFile(join(shop.folder, "broken.yaml"), "kind: [");
    const answer = JSON.parse((await shop.client.ask("/api/plan")).body) as PlanAnswer;
    expect(answer).toMatchObject({ kind: "failed", diagnostics: [{ severity: "error" }] });
    expect(JSON.stringify(answer)).toContain("broken.yaml");
  });

  it("whose apply does not end well says what failed", async () => {
    const broken = deployment("broken").replace(
      '"annotations":{}',
      '"annotations":{"sandbox.keelson.dev/trouble":"image-pull-error"}',
    );
    await writeFile(join(shop.folder, "broken.json"), broken);
    const { id } = await plan();
    const { status, diagnostics } = await shop.client.done({ kind: "apply", plan: id });
    expect(status).toBe("failed");
    expect(diagnostics).toMatchObject([{ code: "dashboard.action-failed" }]);
    expect(diagnostics[0]?.detail).toContain(
      "Deployment.apps default/broken: image none does not exist",
    );
  });
});

it("applies a program, and has its providers take away what they made", async () => {
  const home = join(shop.folder, "program");
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
  const notes = await shop.clientOf(home);
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
  const kept = await shop.client.done(order);
  expect(kept.status).toBe("done");
  expect(kept.message).toContain("Namespace shop kept: it holds objects that stay");
  expect(
    await shop.cluster.find({ apiVersion: "v1", kind: "Namespace", name: "shop" }),
  ).toBeDefined();
  const gone = { kind: "delete", component: cart, confirmation: "cart" } as const;
  expect(await shop.client.done(gone)).toMatchObject({ status: "done", message: "3 deleted" });
  expect(await shop.cluster.find(cartReference)).toBeUndefined();
  const { inventories } = await shop.client.view(({ components }) =>
    components.every(({ name }) => name !== "cart"),
  );
  expect(inventories.find(({ id }) => id === "shop-shop")?.objects).toBe(4);
  const all = { kind: "destroy", inventory: "shop/shop-shop", confirmation: "shop" } as const;
  expect(await shop.client.done(all)).toMatchObject({ status: "done", message: "4 deleted" });
});
