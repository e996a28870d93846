import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { type ProgramShop, programShop } from "./program-shop.ts";

let browser: BrowserPages;
let shop: ProgramShop;
const color = (value: string): string =>
  `new k8s.ConfigMap("settings", { metadata: { name: "settings" }, data: { color: "${value}" } });\n`;
const password = `new random.Password("password", { length: 24 });\n`;
const from = "dev:shop:main:keelson:random/Id#token";
const to = "dev:shop:main:keelson:random/Id#ticket";

beforeAll(async () => {
  [browser, shop] = await Promise.all([BrowserPages.open(), programShop(builtPage)]);
  await shop.write(`${color("blue")}${password}new random.Id("token", { bytes: 8 });\n`);
  await shop.keelson("apply", "--yes");
  await shop.write(`${color("teal")}${password}new random.Id("token", { bytes: 8 });\n`);
  await shop.keelson("apply", "--yes");
  await shop.keelson("rename", from, to, "--yes");
});

afterAll(async () => {
  await browser.close();
  await shop.close();
});

afterEach(() => browser.leave());

const open = (hash?: string, look?: Look): Promise<Page> =>
  browser.visit(shop.server.link, hash, look);

it("names lead to what they are, with the id of its own system, and what they were called", async () => {
  const page = await open();
  await page.getByRole("link", { name: "Names" }).click();
  const rows = page.locator("table.names tbody tr");
  await page.getByText("3 of 3").waitFor();
  const listed = await shop.keelson("names", "--output", "json");
  for (const line of listed.trim().split("\n")) {
    const { name, id } = JSON.parse(line) as { readonly name: string; readonly id: string };
    const row = rows.filter({ hasText: name });
    expect(await row.innerText()).toContain(id);
  }
  const renamed = rows.filter({ hasText: to });
  expect(await renamed.innerText()).toContain(`was ${from}`);
  expect(await renamed.innerText()).toMatch(/random\/Id[\s\S]*Ready/);
  await examine(page, "names-light");
  await page.getByLabel("Filter names").fill("ConfigMap settings");
  await page.getByText("1 of 3").waitFor();
});

it("a component tells which runs changed it, by fields and without a value", async () => {
  const page = await open();
  await page.getByRole("link", { name: "uncategorized" }).click();
  await page.getByRole("tab", { name: "History" }).click();
  const runs = page.locator(".history > li");
  await runs.nth(2).waitFor();
  expect(await runs.nth(0).innerText()).toMatch(/^rename 1 renamed by .+, \d+s ago/);
  expect(await runs.nth(1).innerText()).toMatch(
    /^apply 1 changed[\s\S]*changed\s+ConfigMap default\/settings\s+\.data\.color/,
  );
  expect(await runs.nth(2).innerText()).toMatch(/^apply 3 created/);
  expect(await page.content()).not.toMatch(/teal|blue/);
  await examine(page, "history-light");
  // What happens while somebody looks is there at once.
  await shop.write(`${color("red")}${password}new random.Id("ticket", { bytes: 8 });\n`);
  await shop.keelson("apply", "--yes");
  await runs.nth(3).waitFor();
  expect(await runs.nth(0).innerText()).toContain(".data.color");
});

it("an inventory tells of all its runs", async () => {
  const page = await open("#/inventories");
  await page.getByText("History").click();
  const runs = page.locator(".history > li");
  await runs.nth(2).waitFor();
  await examine(page, "inventory-history");
});

it.each<[string, string, Look]>([
  ["names-dark", "#/names", dark],
  ["names-narrow", "#/names", narrow],
])("%s", async (name, hash, look) => {
  const page = await open(hash, look);
  await page.getByText("settings").first().waitFor();
  await examineLook(page, name, look);
});
