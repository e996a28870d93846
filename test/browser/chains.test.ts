import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { fieldAt, type JsonObject } from "../../src/json/index.ts";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { type ChainShop, chainShop } from "./chain-shop.ts";

let browser: BrowserPages;
let shop: ChainShop;

beforeAll(async () => {
  [browser, shop] = await Promise.all([BrowserPages.open(), chainShop(builtPage)]);
});

afterAll(async () => {
  await browser.close();
  await shop.close();
});

afterEach(() => browser.leave());

const open = (hash?: string, look?: Look): Promise<Page> =>
  browser.visit(shop.server.link, hash, look);
const ownerPage = (kind: string, name: string): string =>
  `#/owner/${encodeURIComponent(`kontinue.io/${kind}/default/${name}`)}`;

it("lists owners with their status, once there are any", async () => {
  const page = await open();
  await page.getByRole("link", { name: "Supply chains" }).click();
  await page.getByText("4 of 4 ready").nth(2).waitFor();
  const rows = page.locator("table.owners tbody tr");
  expect(await rows.count()).toBe(6);
  expect(await rows.filter({ hasText: "Workload" }).locator("a.name").allTextContents()).toEqual([
    "catalog",
    "checkout",
    "shop",
  ]);
  await page.getByText("3 of 3 ready").nth(2).waitFor();
  await examine(page, "chains-light");
  await page.getByLabel("Filter owners").fill("workload shop");
  await page.getByText("1 of 6").waitFor();
  await page.getByRole("link", { name: "shop" }).click();
  await page.getByRole("heading", { name: "shop", exact: true }).waitFor();
});

it("shows the way of a workload: each step, why, what it stamped and what it hands on", async () => {
  const page = await open(ownerPage("Workload", "checkout"));
  const cards = page.locator(".card");
  await cards.nth(3).locator(".verdict.Current").waitFor();
  expect(await cards.locator("b").allTextContents()).toEqual([
    "source",
    "tests",
    "image",
    "delivery",
  ]);
  const places = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  expect(places.map((place) => place?.x)).toEqual(
    places.map((place) => place?.x).toSorted((a = 0, b = 0) => a - b),
  );
  await cards.nth(1).click();
  const step = page.getByRole("region", { name: "Step tests" });
  await step.getByRole("heading", { name: "tests: ClusterSourceTemplate tests" }).waitFor();
  const options = await step.locator("table").first().innerText();
  expect(options).toMatch(/tests\s+✓ chosen\s+label example.com\/tests = yes: yes/);
  expect(options).toMatch(/passThrough source\s+no\s+label example.com\/tests NotIn \["yes"\]: no/);
  await step.getByText("source from source").waitFor();
  await step.getByRole("cell", { name: "https://example.com/checkout.git" }).waitFor();
  await step.getByText(/^Job$/).waitFor();
  await step.getByRole("rowheader", { name: "Healthy" }).waitFor();
  await step.getByText("YAML").click();
  expect(await step.getByLabel(/YAML of Job checkout-tests-/).innerText()).toContain("busybox");
  await page.getByRole("heading", { name: "Why web-apps" }).waitFor();
  await page.getByText("label example.com/type = web: yes").waitFor();
  await examine(page, "owner-light");
  await cards.nth(3).click();
  await page.getByRole("region", { name: "Step delivery" }).getByRole("link").click();
  await page.getByText("Deliverable in default").waitFor();
});

it("follows when another option is chosen, and says why when none is", async () => {
  const page = await open(ownerPage("Workload", "shop"));
  await page.locator(".card").first().getByText("git-source").waitFor();
  const workload = {
    apiVersion: "kontinue.io/v1alpha1",
    kind: "Workload",
    namespace: "default",
    name: "shop",
  };
  const before = fieldAt(await shop.cluster.get(workload), "spec", "source", "git") as JsonObject;
  const patch = (source: JsonObject): Promise<unknown> =>
    shop.cluster.patch(workload, "merge", { spec: { source } }, {});
  await patch({ git: null, image: "registry.example.com/shop:2" });
  await page.locator(".card").first().getByText("image-source").waitFor();
  await page.locator(".card").getByText("ConfigMap shop-bundle").waitFor();
  await patch({ image: null });
  await page.getByText("no option matches").first().waitFor();
  await page.getByText("workload.spec.source.image Exists: no").first().waitFor();
  await examine(page, "owner-failed");
  await patch({ git: before });
});

it("draws what was stamped in the graph, by step", async () => {
  const page = await open("#/graph");
  await page.getByRole("link", { name: "Deployment checkout: Current" }).waitFor();
  const groups = page.locator("svg .group text");
  expect(await groups.allTextContents()).toEqual(
    expect.arrayContaining(["checkout: source", "checkout: tests", "checkout: image"]),
  );
  await page.getByText("checkout: tests").waitFor();
  await examine(page, "graph-chains");
  await page.getByRole("link", { name: /^ConfigMap checkout-image/ }).click();
  await page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
});

it.each<[string, string, Look]>([
  ["chains-dark", "#/chains", dark],
  ["chains-narrow", "#/chains", narrow],
  ["owner-dark", ownerPage("Workload", "catalog"), dark],
  ["owner-narrow", ownerPage("Workload", "catalog"), narrow],
])("%s", async (name, hash, look) => {
  const page = await open(hash, look);
  await page.getByText("catalog").first().waitFor();
  await examineLook(page, name, look);
});
