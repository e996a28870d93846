import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { DevProject, deployment } from "../devloop/dev-project.ts";
import { BrowserPages, dark, examine, examineLook, narrow } from "./browser-pages.ts";

const password = "correct-horse-battery-staple";
const otherPassword = "another-horse-another-staple";

const web = (replicas: number, secret: string): string =>
  [
    deployment("web")
      .replace('"spec":{', `"spec":{"replicas":${replicas},`)
      .replace('"image":', '"envFrom":[{"secretRef":{"name":"web"}}],"image":'),
    `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"web"},"stringData":{"password":"${secret}"}}`,
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}',
  ].join("\n---\n");

let pages: BrowserPages;
let project: DevProject;
let cluster: Cluster;
let link: string;
let readOnlyLink: string;

beforeAll(async () => {
  pages = await BrowserPages.open();
  project = new DevProject({
    "web.yaml": web(1, password),
    "cart.yaml": deployment("cart"),
  });
  link = await serve();
  readOnlyLink = await serve("--read-only");
  const kubeconfig = join(project.home, ".local", "state", "keelson", "sandbox", "kubeconfig");
  cluster = connectTo(await settingsOf(kubeconfig), { namespace: "default" });
});

afterAll(async () => {
  await pages.close();
  await cluster.close();
  await project.close();
});

beforeEach(async () => {
  project.write("web.yaml", web(1, password));
  project.write("cart.yaml", deployment("cart"));
  await keelson("apply . --yes");
});

afterEach(async () => {
  await pages.leave();
});

async function keelson(line: string): Promise<void> {
  expect({ line, ...(await project.run(line)) }).toMatchObject({ code: 0 });
}

async function serve(...flags: readonly string[]): Promise<string> {
  const run = project.start("dashboard", ".", "--port", "0", ...flags);
  const ready = await run.until((event) => JSON.stringify(event).includes('"ready"'), "the link");
  return (ready as unknown as { readonly link: string }).link;
}

const webPage = `#/component/${encodeURIComponent("default/demo-dev-default/web")}`;
const cartPage = `#/component/${encodeURIComponent("default/demo-dev-default/cart")}`;
const live = (kind: string, name: string) => ({
  apiVersion: kind === "Deployment" ? "apps/v1" : "v1",
  kind,
  name,
});

/** Everything that the server sends to a page for a plan. */
function planText(page: Page): Promise<string> {
  return page.evaluate<string>("fetch('/api/plan').then((answer) => answer.text())");
}

it("shows the plan of the source and applies it", async () => {
  await keelson("destroy . --yes");
  const page = await pages.visit(link, "#/plan");
  await page.getByText("Deployment.apps default/web is created").waitFor();
  await page.getByText("YAML of Secret default/web").click();
  await page.getByText('password: "***"').waitFor();
  await examine(page, "plan-light");
  expect(await planText(page)).not.toContain(password);
  await page.getByRole("button", { name: "Apply this plan" }).click();
  await page.getByRole("region", { name: "Actions" }).getByText("4 created").waitFor();
  await page.getByText("Everything is as the source wishes: 4 objects stay").waitFor();
  await page.getByRole("link", { name: "Components" }).click();
  await page.getByRole("link", { name: "cart" }).waitFor();
  expect(await cluster.find(live("Secret", "web"))).toBeDefined();
});

it("shows field by field how the cluster differs from the source, without secrets", async () => {
  project.write("web.yaml", web(2, otherPassword));
  const page = await pages.visit(link, webPage);
  await page.getByRole("tab", { name: "Diff" }).click();
  const fields = page.locator(".fields div");
  await fields.filter({ hasText: ".spec.replicas" }).waitFor();
  expect(await fields.filter({ hasText: ".spec.replicas" }).innerText()).toMatch(
    /\.spec\.replicas\s+1\s+2/,
  );
  expect(await fields.filter({ hasText: ".data.password" }).innerText()).toContain("***");
  const text = (await page.content()) + (await planText(page));
  for (const secret of [password, otherPassword]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64"));
  }
  await examine(page, "diff-light");
});

it("refuses a plan that no longer holds, and writes nothing", async () => {
  project.write("web.yaml", web(2, password));
  const page = await pages.visit(link, "#/plan");
  await page.getByText(".spec.replicas").waitFor();
  project.write("web.yaml", web(3, otherPassword));
  await page.getByRole("button", { name: "Apply this plan" }).click();
  const actions = page.getByRole("region", { name: "Actions" });
  await actions.getByText("live.plan-outdated").waitFor();
  expect(await actions.innerText()).toContain("Deployment.apps default/web: the input has changed");
  const { spec } = await cluster.get(live("Deployment", "web"));
  expect(spec).toMatchObject({ replicas: 1 });
  await examine(page, "plan-outdated");
  await actions.getByRole("button", { name: "Dismiss" }).click();
  await actions.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Plan again" }).click();
  await page.locator(".fields ins").getByText("3", { exact: true }).waitFor();
});

it("says what is wrong with a source that cannot be read", async () => {
  project.write("web.yaml", "kind: [");
  const page = await pages.visit(link, "#/plan");
  const problems = page.getByLabel("Problems of the plan");
  await problems.getByText("web.yaml:1").waitFor();
  await examine(page, "plan-problem");
  await page.getByRole("link", { name: "Inventories" }).click();
  await page.getByRole("link", { name: "there is no plan" }).click();
  project.write("web.yaml", web(1, password));
  await page.getByRole("button", { name: "Plan again" }).click();
  await problems.waitFor({ state: "detached" });
});

it("restarts a workload by its own rollout", async () => {
  const page = await pages.visit(link, webPage);
  await page.getByRole("button", { name: "Restart" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Actions" }).getByText("web was restarted").waitFor();
  const { spec } = await cluster.get(live("Deployment", "web"));
  expect(JSON.stringify(spec)).toContain("kubectl.kubernetes.io/restartedAt");
  // It is not what an apply wishes for, and so none of its business.
  await page.getByRole("tab", { name: "Diff" }).click();
  await page.getByText("What is in the cluster is what the source wishes for.").waitFor();
  await examine(page, "component-actions-light");
});

it("says on the page why an action failed", async () => {
  const annotations = { "sandbox.keelson.dev/trouble": "image-pull-error" };
  await cluster.patch(live("Deployment", "cart"), "merge", {
    spec: {
      strategy: { type: "Recreate", rollingUpdate: null },
      template: { metadata: { annotations } },
    },
  });
  const page = await pages.visit(link, cartPage);
  await page.locator(".title .verdict.Failed").waitFor();
  await page.getByRole("button", { name: "Restart" }).click();
  const actions = page.getByRole("region", { name: "Actions" });
  await actions.getByText("live.restart").waitFor();
  expect(await actions.innerText()).toMatch(
    /was restarted and is not ready: image none does not exist/,
  );
  await examine(page, "action-failed");
  await cluster.delete(live("Deployment", "cart"));
});

it("shows what the next apply would prune", async () => {
  rmSync(project.path("cart.yaml"));
  const page = await pages.visit(link, "#/inventories");
  await page.getByText("Deployment.apps default/cart is pruned").waitFor();
  await examine(page, "prune-light");
});

it.each([
  ["plan-dark", "#/plan", dark, "default/cart is pruned"],
  ["plan-narrow", "#/plan", narrow, "default/cart is pruned"],
  ["actions-dark", cartPage, dark, "Restart"],
  ["actions-narrow", cartPage, narrow, "Restart"],
  ["prune-narrow", "#/inventories", narrow, "default/cart is pruned"],
] as const)("%s", async (name, hash, look, text) => {
  if (text.endsWith("is pruned")) rmSync(project.path("cart.yaml"));
  const page = await pages.visit(link, hash, look);
  await page.getByText(text).waitFor();
  await examineLook(page, name, look);
});

it.each([
  ["confirm-light", {}],
  ["confirm-dark", dark],
  ["confirm-narrow", narrow],
])("%s: a deletion begins when the name has been typed", async (name, look) => {
  const page = await pages.visit(link, cartPage, look);
  await page.getByRole("button", { name: "Delete…" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete cart?" });
  const confirm = dialog.getByRole("button", { name: "Delete" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.keyboard.type("car");
  expect(await confirm.isDisabled()).toBe(true);
  await examineLook(page, name, look);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(page.url()).toContain("cart");
});

it("deletes the objects of a component, and no others", async () => {
  const page = await pages.visit(link, cartPage);
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.keyboard.type("cart");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Actions" }).getByText("1 deleted").waitFor();
  await page.getByText("There is no such component any longer.").waitFor();
  expect(await cluster.find(live("Deployment", "cart"))).toBeUndefined();
  expect(await cluster.find(live("Deployment", "web"))).toBeDefined();
});

it("does nothing for a page of somebody else, though the browser has been let in", async () => {
  const { origin } = new URL(link);
  const order = JSON.stringify({ kind: "restart", component: "default/demo-dev-default/web" });
  const stranger = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<form method="post" enctype="text/plain" action="${origin}/api/actions">
      <input name='${order.slice(0, -1)},"x":"' value='"}' /><button>Win</button></form>`);
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  try {
    const before = await cluster.get(live("Deployment", "web"));
    const page = await (await pages.visit(link)).context().newPage();
    const { port } = stranger.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    const simple = await page.evaluate<string>(
      `fetch(${JSON.stringify(`${origin}/api/actions`)}, {
        method: "POST", mode: "no-cors", credentials: "include", body: ${JSON.stringify(order)},
      }).then((answer) => answer.type, () => "failed")`,
    );
    expect(["opaque", "failed"]).toContain(simple);
    await page.getByRole("button", { name: "Win" }).click();
    await page.getByText("other pages may not").waitFor();
    const after = await cluster.get(live("Deployment", "web"));
    expect(after.metadata.generation).toBe(before.metadata.generation);
  } finally {
    stranger.close();
  }
});

it("offers nothing and does nothing where it is read-only", async () => {
  const page = await pages.visit(readOnlyLink, webPage);
  await page.getByRole("tab", { name: "Diff" }).waitFor();
  expect(await page.getByRole("button", { name: /Restart|Delete/ }).count()).toBe(0);
  const { origin } = new URL(readOnlyLink);
  const refused = await page.request.post(`${origin}/api/actions`, {
    headers: { origin, "x-keelson-action": "1" },
    data: { kind: "restart", component: "default/demo-dev-default/web" },
  });
  expect(refused.status()).toBe(403);
  expect(await refused.text()).toContain("dashboard.read-only");
  await page.goto(`${origin}/#/plan`);
  await page.getByText("objects stay as they are").waitFor();
  expect(await page.getByRole("button", { name: "Apply this plan" }).count()).toBe(0);
  await page.goto(`${origin}/#/inventories`);
  await page.getByRole("heading", { name: "default/demo-dev" }).waitFor();
  expect(await page.getByRole("button", { name: /Delete/ }).count()).toBe(0);
});

it("deletes an inventory", async () => {
  const page = await pages.visit(link, "#/inventories");
  await page.getByRole("button", { name: "Delete the inventory demo-dev…" }).click();
  await page.keyboard.type("demo-dev");
  await page.keyboard.press("Enter");
  await page.getByText("There are no inventories.").waitFor();
  expect(await cluster.find(live("Deployment", "web"))).toBeUndefined();
});
