import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Cluster, isUnserved } from "../../src/cluster/index.ts";
import type { DashboardServer } from "../../src/dashboard/index.ts";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { programShop } from "./program-shop.ts";
import { type ShopWorld, shopWorld } from "./shop-world.ts";

let browser: BrowserPages;
let world: ShopWorld;
let server: DashboardServer;

beforeAll(async () => {
  [browser, world] = await Promise.all([BrowserPages.open(), shopWorld(builtPage)]);
  await world.apply(["web"]);
  server = await world.serve();
});

afterAll(async () => {
  await browser.close();
  await world.close();
});

afterEach(() => browser.leave());

const webPage = `#/component/${encodeURIComponent("shop/shop-shop/web")}`;

async function openStats(page: Page): Promise<Page> {
  await page.getByRole("tab", { name: "Stats" }).click();
  return page;
}

it("plots what the pods of a component use, as it is measured", async () => {
  const page = await openStats(await browser.visit(server.link, webPage));
  await page.getByRole("img", { name: /^cpu: web-\S+ 0\.\d+$/ }).waitFor();
  await page.getByRole("img", { name: /^memory: web-\S+ \d+(?:\.\d+)? Mi$/ }).waitFor();
  const line = page.locator(".plot .line").first();
  // A line has two points once it was measured twice.
  await expect.poll(() => line.getAttribute("d")).toMatch(/^M.*L/);
  await examine(page, "stats-light");
});

it("says in words when nobody measures", async () => {
  const unserved = new Proxy(world.cluster, {
    get: (cluster: Cluster, name: keyof Cluster) => {
      if (name !== "list") return cluster[name];
      const list: Cluster["list"] = (kind, options) =>
        cluster.list(
          kind.kind === "PodMetrics" ? { apiVersion: "gone.example.com/v1", kind: "Gone" } : kind,
          options,
        );
      return list;
    },
  });
  await expect(unserved.list({ apiVersion: "v1", kind: "PodMetrics" })).rejects.toSatisfy(
    isUnserved,
  );
  const partly = await world.serveOf(unserved);
  const page = await openStats(await browser.visit(partly.link, webPage));
  await page.getByText("This cluster serves no metrics of pods").waitFor();
  await examine(page, "stats-none");
});

it("plots what providers count for resources of programs", async () => {
  const shop = await programShop(builtPage);
  try {
    await shop.write(`new local.Process("ticker", { command: ["sleep", "600"] });\n`);
    await shop.keelson("apply", "--yes");
    const page = await browser.visit(shop.server.link);
    await page.getByRole("link", { name: "uncategorized" }).click();
    await openStats(page);
    await page.getByRole("img", { name: /^memory: .*ticker \d/ }).waitFor();
    await page.getByText("seconds").waitFor();
    await examine(page, "stats-provider");
  } finally {
    await shop.keelson("destroy", "--yes");
    await shop.close();
  }
});

it.each<[string, Look]>([
  ["stats-dark", dark],
  ["stats-narrow", narrow],
])("%s", async (name, look) => {
  const page = await openStats(await browser.visit(server.link, webPage, look));
  await page.locator(".plot").nth(1).waitFor();
  await examineLook(page, name, look);
});
