import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { DashboardServer } from "../../src/dashboard/index.ts";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { type ShopWorld, shopWorld } from "./shop-world.ts";

let browser: BrowserPages;
let world: ShopWorld;
let server: DashboardServer;
let folder: string;

const colourful = String.raw`for i in $(seq 1 20); do
  printf '\033[32mINFO\033[0m request %s\n' $i
  printf '\033[1;33mWARN\033[0m slow answer %s\n' $i
  echo '{"level":50,"msg":"it broke"}'
  echo 'level=debug nothing to see'
done
exec sleep 600`;
/** Says a lot once a file is there. */
const waiting = (flag: string): string =>
  `echo waiting; until [ -e '${flag}' ]; do sleep 0.05; done; seq -f 'number %.0f' 1 100000; exec sleep 600`;

beforeAll(async () => {
  [browser, world] = await Promise.all([BrowserPages.open(), shopWorld(builtPage)]);
  folder = await mkdtemp(join(tmpdir(), "keelson-logs-"));
  await world.apply(["web"]);
  server = await world.serve();
});

afterAll(async () => {
  await browser.close();
  await world.close();
  await rm(folder, { recursive: true });
});

afterEach(() => browser.leave());

const webPage = `#/component/${encodeURIComponent("shop/shop-shop/web")}`;

async function openLogs(look?: Look): Promise<Page> {
  const page = await browser.visit(server.link, webPage, look);
  await page.getByRole("tab", { name: "Logs" }).click();
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page): ReturnType<Page["locator"]> => page.getByRole("log").locator(".row");

it("shows a hundred thousand lines, and finds what stands at their beginning", async () => {
  await world.apply(["web"], waiting(join(folder, "flag")));
  const page = await openLogs();
  await page.getByText("waiting").waitFor();
  await writeFile(join(folder, "flag"), "");
  await page.getByText("100001 of 100001 lines").waitFor();
  await rows(page).getByText("number 100000", { exact: true }).waitFor();
  expect(await rows(page).count()).toBeLessThan(100);
  await page.getByLabel("Search the log").fill("number 7777");
  await page.getByText("11 of 100001 lines").waitFor();
  await rows(page).getByText("number 77770", { exact: true }).waitFor();
});

it("shows only what is important enough, in the colours of terminals, with times", async () => {
  await world.apply(["web"], colourful);
  const page = await openLogs();
  await page.getByLabel("How much of the past").selectOption("10000");
  await page.getByText("80 of 80 lines").waitFor();
  await page.getByLabel("times").check();
  expect(await rows(page).first().locator("time").innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
  const warning = rows(page).filter({ hasText: "slow answer 1" }).first();
  expect(await warning.locator(".bold.front-yellow").innerText()).toBe("WARN");
  expect(await page.getByRole("log").innerText()).not.toContain("\u001B");
  await examine(page, "logs-colours");
  await page.getByLabel("Least important level").selectOption("warn");
  await page.getByText("40 of 80 lines").waitFor();
  await page.getByLabel("Least important level").selectOption("error");
  await page.getByText("20 of 80 lines").waitFor();
  await page.getByLabel("Least important level").selectOption("info");
  await page.getByText("60 of 80 lines").waitFor();
  // Colours are not part of what is searched.
  await page.getByLabel("Search the log").fill("INFO request 7");
  await page.getByText("1 of 80 lines").waitFor();
});

it.each<[string, Look]>([
  ["logs-dark", dark],
  ["logs-narrow", narrow],
])("%s", async (name, look) => {
  const page = await openLogs(look);
  await examineLook(page, name, look);
});
