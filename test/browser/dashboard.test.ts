import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { DashboardServer } from "../../src/dashboard/index.ts";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { password, type ShopWorld, shopWorld } from "./shop-world.ts";

let browser: BrowserPages;
let world: ShopWorld;
let server: DashboardServer;

beforeAll(async () => {
  [browser, world] = await Promise.all([BrowserPages.open(), shopWorld(builtPage)]);
  server = await world.serve();
});

afterAll(async () => {
  await browser.close();
  await world.close();
});

beforeEach(() => world.apply(["web", "cart"]));
afterEach(() => browser.leave());

function open(hash?: string, look?: Look): Promise<Page> {
  return browser.visit(server.link, hash, look);
}

const webPage = `#/component/${encodeURIComponent("shop/shop-shop/web")}`;

it("the overview shows every component, and is filtered and walked by keys", async () => {
  const page = await open();
  const rows = page.locator("table.components tbody tr");
  await rows.nth(1).waitFor();
  expect(await rows.locator("a.name").allTextContents()).toEqual(["cart", "web"]);
  expect(await rows.nth(1).innerText()).toMatch(/web\s+Deployment[\s\S]*Ready[\s\S]*shop/);
  await page.getByText("1 group of other objects").click();
  await page.locator(".others a").first().waitFor();
  await examine(page, "overview-light");

  await page.keyboard.press("/");
  await page.keyboard.type("deployment web");
  expect(await rows.locator("a.name").allTextContents()).toEqual(["web"]);
  await page.keyboard.press("Escape");
  expect(await rows.count()).toBe(2);
  await page.getByRole("button", { name: "tier=front" }).first().click();
  expect(await rows.locator("a.name").allTextContents()).toEqual(["cart", "web"]);
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  expect(await page.locator("a.name:focus").innerText()).toBe("cart");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "cart" }).waitFor();
});

it("a component shows its objects, conditions, pods and events, and no secret", async () => {
  const page = await open(webPage);
  await page.getByRole("button", { name: "Secret web" }).click();
  const yaml = page.getByLabel("YAML of Secret web");
  expect(await yaml.innerText()).toContain('password: "***"');
  expect(await page.content()).not.toContain(password);
  await page.getByRole("button", { name: "Deployment web" }).click();
  await page.getByRole("rowheader", { name: "Available" }).waitFor();
  await examine(page, "component-light");
  await page.getByRole("tab", { name: "Pods (1)" }).click();
  await page.getByRole("rowheader", { name: /^web-/ }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("columnheader", { name: "Event" }).waitFor();
  await examine(page, "events-light");
});

it("each part of a component has an address, and the way back leaves the component", async () => {
  const page = await open();
  await page.getByRole("link", { name: "web" }).click();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.keyboard.press("ArrowRight");
  const history = page.getByRole("tab", { name: "History", selected: true });
  await history.waitFor();
  await page.reload();
  await history.waitFor();
  const address = page.url();
  await page.goBack();
  await page.getByRole("heading", { name: "Components" }).waitFor();
  await page.goto(address.replace("tab=history", "tab=none"));
  await page.getByRole("tab", { name: "Objects", selected: true }).waitFor();
  await page.goto(`${new URL(address).origin}/#/component/shop%2`);
  await page.getByRole("heading", { name: "Components" }).waitFor();
});

it("logs are followed, virtualised and searched", async () => {
  const page = await open(webPage);
  await page.getByRole("tab", { name: "Logs" }).click();
  const log = page.getByRole("log");
  await log.getByText("line 5000 of the log").waitFor();
  await page.getByText("1000 of 1000 lines").waitFor();
  expect(await log.locator(".row").count()).toBeLessThan(100);
  await examine(page, "logs-light");
  await page.getByLabel("Search the log").fill("line 49.7 ");
  await page.getByText("0 of 1000 lines").waitFor();
  await page.getByLabel("regular expression").check();
  await page.getByText("10 of 1000 lines").waitFor();
  await log.getByText("line 4957 of the log").waitFor();
  await page.getByLabel("Search the log").fill("(");
  await page.getByText("this is no regular expression").waitFor();
});

it("the graph is coloured by status, zoomed, searched and leads to components", async () => {
  const page = await open("#/graph");
  const node = page.getByRole("link", { name: "Deployment web: Current" });
  await node.waitFor();
  expect(await page.locator("svg a.node.Current").count()).toBe(7);
  await examine(page, "graph-light");
  const before = await node.boundingBox();
  await page.getByRole("button", { name: "Larger" }).click();
  expect((await node.boundingBox())?.width).toBeGreaterThan(before?.width ?? Infinity);
  await page.getByLabel("Find in the graph").fill("secret web");
  expect(await page.locator("svg a.found").count()).toBe(1);
  await page.getByLabel("Find in the graph").fill("");
  await page.getByRole("button", { name: "Fit" }).click();
  await node.click();
  await page.getByRole("heading", { name: "web" }).waitFor();
});

it("inventories show what is owned, and by whom", async () => {
  const page = await open("#/inventories");
  await page.getByRole("heading", { name: "shop/shop" }).waitFor();
  expect(await page.getByRole("cell", { name: "this inventory" }).count()).toBe(7);
  await examine(page, "inventories-light");
});

it.each<[string, string, Look]>([
  ["overview-dark", "#/", dark],
  ["component-dark", webPage, dark],
  ["graph-dark", "#/graph", dark],
  ["overview-narrow", "#/", narrow],
  ["component-narrow", webPage, narrow],
  ["inventories-narrow", "#/inventories", narrow],
])("%s", async (name, hash, look) => {
  const page = await open(hash, look);
  await page.getByText("web").first().waitFor();
  await examineLook(page, name, look);
});

it("goes on by itself when the server was away, and shows what has changed since", async () => {
  const page = await open();
  await page.getByRole("link", { name: "cart" }).waitFor();
  const token = new URL(server.link).searchParams.get("token") ?? "";
  await server.close();
  await page.getByRole("status").getByText("Connection lost").waitFor();
  await world.apply(["web", "payments"]);
  server = await world.serve(server.port, token);
  await page.getByRole("status").getByText("Live").waitFor();
  await page.getByRole("link", { name: "payments" }).waitFor();
  expect(await page.getByRole("link", { name: "cart" }).count()).toBe(0);
});

it("shows changes while it is open", async () => {
  await world.apply(["web", "payments"]);
  const page = await open();
  await page.getByRole("link", { name: "payments" }).waitFor();
  await world.apply(["web", "cart"]);
  await page.getByRole("link", { name: "cart" }).waitFor();
  await page.getByRole("link", { name: "payments" }).waitFor({ state: "detached" });
});

it("what fails says why, everywhere, as soon as it does", async () => {
  const page = await open();
  await page.getByRole("link", { name: "cart" }).waitFor();
  const cart = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "cart" };
  await world.cluster.patch(
    cart,
    "merge",
    {
      spec: {
        strategy: { type: "Recreate", rollingUpdate: null },
        template: {
          metadata: {
            annotations: {
              "sandbox.keelson.dev/run": null,
              "sandbox.keelson.dev/trouble": "image-pull-error",
            },
          },
        },
      },
    },
    {},
  );
  await world.cluster.delete({
    apiVersion: "v1",
    kind: "Service",
    namespace: "shop",
    name: "web",
  });
  const row = page.getByRole("row", { name: /cart/ });
  await row.locator(".verdict.Failed").waitFor();
  expect(await row.innerText()).toMatch(/image shop\/app:1 does not exist/);
  // Without its selector nobody can tell what a Service belonged to.
  await page.getByText("Service web: it is not in the cluster").waitFor();
  await examine(page, "overview-failed");
  await page.getByRole("button", { name: "Failed" }).click();
  expect(await page.locator("a.name").allTextContents()).toEqual(["cart"]);
  await page.goto(`${new URL(server.link).origin}/#/graph`);
  await page.getByRole("link", { name: "Deployment cart: Failed" }).waitFor();
  await page.getByRole("link", { name: "Service web: NotFound" }).waitFor();
  await examine(page, "graph-failed");
  await world.cluster.delete(cart);
});

it("has a small script", async () => {
  const folder = new URL("assets/", builtPage);
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(new URL(name, folder))).length),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * 1024);
});
