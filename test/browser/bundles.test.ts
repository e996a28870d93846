import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { BundlePlugins, bundleReconciler } from "../../src/controller/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { rightsObjects } from "../controller/rights-objects.ts";
import { BrowserPages, dark, examine, examineLook, type Look, narrow } from "./browser-pages.ts";
import { builtPage } from "./build-page.ts";
import { type ChainShop, controlledShop } from "./chain-shop.ts";

const bundle = (name: string, webNeeds: string): KubernetesObject => ({
  apiVersion: "smith.atlassian.com/v1",
  kind: "Bundle",
  metadata: { namespace: "default", name },
  spec: {
    resources: [
      {
        name: "web",
        references: [
          { name: "colour", resource: "settings", path: webNeeds, example: "blue" },
          { resource: "access" },
        ],
        spec: {
          object: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: `${name}-web` },
            data: { colour: "!{colour}" },
          },
        },
      },
      {
        name: "settings",
        spec: {
          object: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: `${name}-settings` },
            data: { colour: "red" },
          },
        },
      },
      {
        name: "access",
        spec: {
          object: {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { name: `${name}-access` },
            stringData: { password: "hunter2" },
          },
        },
      },
    ],
  },
});

let browser: BrowserPages;
let shop: ChainShop;

beforeAll(async () => {
  const plugins = new BundlePlugins(tmpdir());
  [browser, shop] = await Promise.all([
    BrowserPages.open(),
    controlledShop(builtPage, {
      definitions: bundleDefinitions,
      objects: [
        ...rightsObjects("default"),
        bundle("shop", "data.colour"),
        bundle("broken", "data.color"),
      ],
      reconcilers: [bundleReconciler({ plugins })],
    }),
  ]);
});

afterAll(async () => {
  await browser.close();
  await shop.close();
});

afterEach(() => browser.leave());

const ownerPage = (name: string): string =>
  `#/owner/${encodeURIComponent(`smith.atlassian.com/Bundle/default/${name}`)}`;

it("lists bundles with their status, once there are any", async () => {
  const page = await browser.visit(shop.server.link);
  await page.getByRole("link", { name: "Bundles" }).click();
  const rows = page.locator("table.owners tbody tr");
  await rows.filter({ hasText: "3 of 3 ready" }).waitFor();
  await rows.filter({ hasText: "2 of 3 ready" }).locator(".verdict.Failed").waitFor();
  expect(await rows.locator("a.name").allTextContents()).toEqual(["broken", "shop"]);
  await examine(page, "bundles-light");
});

it("shows what the resources of a bundle take from each other, and what was made of them", async () => {
  const page = await browser.visit(shop.server.link, ownerPage("shop"));
  const cards = page.locator(".card");
  await cards.nth(2).locator(".verdict.Current").waitFor();
  await cards.filter({ hasText: "shop-web" }).click();
  const web = page.getByRole("region", { name: "Resource web" });
  await web.getByText("data.colour as colour from settings").waitFor();
  await web.getByText("waits for access").waitFor();
  await web.getByText("YAML").click();
  await web.getByText("colour: red").waitFor();
  await examine(page, "bundle-light");
  await cards.filter({ hasText: "shop-access" }).click();
  const access = page.getByRole("region", { name: "Resource access" });
  await access.getByText("kind: Secret").waitFor();
  expect(await page.content()).not.toMatch(/hunter2|aHVudGVyMg/);
});

it("says what a bundle waits for that cannot go on", async () => {
  const page = await browser.visit(shop.server.link, ownerPage("broken"));
  await page.locator(".card").nth(2).waitFor();
  const web = page.getByRole("region", { name: "Resource web" });
  await web
    .getByText(/data\.color/)
    .first()
    .waitFor();
  await page.getByText("nothing made").waitFor();
});

it("draws the objects of a bundle in the graph", async () => {
  const page = await browser.visit(shop.server.link, "#/graph");
  const node = page.locator("title", { hasText: "shop-settings" });
  await node.first().waitFor({ state: "attached" });
});

it.each<[string, Look]>([
  ["bundle-dark", dark],
  ["bundle-narrow", narrow],
])("%s", async (name, look) => {
  const page = await browser.visit(shop.server.link, ownerPage("shop"), look);
  await page.locator(".card").nth(2).waitFor();
  await examineLook(page, name, look);
});
