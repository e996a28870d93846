import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DashboardServer } from "../../src/dashboard/index.ts";
import { artifacts, builtPage } from "./build-page.ts";
import { openBrowser } from "./open-browser.ts";
import { type ShopWorld, shopWorld } from "./shop-world.ts";

let browser: Browser;
let world: ShopWorld;
let server: DashboardServer;

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), shopWorld(builtPage)]);
  await world.fill(1_000);
  server = await world.serve();
});

afterAll(async () => {
  await browser.close();
  await world.close();
});

it("shows, filters and draws a thousand components", async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
  await page.goto(server.link);
  const names = page.locator("table.components a.name");
  const focused = page.locator("a.name:focus");
  await page.getByText("1000 of 1000").waitFor();
  await page.getByRole("link", { name: "job-0000" }).waitFor();
  // Only what is near is in the page, also at the other end, and keys move through all of it.
  expect(await names.count()).toBeLessThan(150);
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "job-0999" }).waitFor();
  expect(await names.count()).toBeLessThan(150);
  await page.keyboard.press("j");
  expect(await focused.innerText()).toBe("job-0000");
  for (let step = 0; step < 150; step++) await page.keyboard.press("j");
  expect(await focused.innerText()).toBe("job-0150");
  await page.keyboard.press("/");
  await page.keyboard.type("job-05 shop");
  await page.getByText("100 of 1000").waitFor();
  await page.getByRole("link", { name: "job-0499" }).waitFor({ state: "detached" });
  expect(await names.count()).toBe(100);
  await page.keyboard.press("Enter");
  expect(await focused.innerText()).toBe("job-0500");
  await page.screenshot({ path: join(artifacts, "overview-1000.png") });
  await page.getByRole("link", { name: "Graph" }).click();
  const node = page.locator("svg a.node");
  await node.first().waitFor();
  expect(await node.count()).toBe(1_000);
  await page.screenshot({ path: join(artifacts, "graph-1000.png") });
  await page.getByLabel("Find in the graph").fill("job-0777");
  expect(await page.locator("svg a.found").count()).toBe(1);
});
