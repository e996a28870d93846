import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { deployment, DevProject, type DevRun, freePort } from "../devloop/dev-project.ts";
import { BrowserPages, dark, examine, examineLook, narrow } from "./browser-pages.ts";

let pages: BrowserPages;
let project: DevProject;
let up: DevRun;
let link: string;
let port: number;

const tiltfile = (): string => `
custom_build('shop/web', 'echo the image of the shop', deps=['src'], skips_local_docker=True)
k8s_yaml('web.json')
k8s_resource('web', new_name='shop', port_forwards='${port}:8080')
local_resource('tool', cmd='echo the tool was built', serve_cmd='echo the tool serves; exec sleep 600')
`;

const web = (run: string): string => deployment("web", { run, port: 8080, image: "shop/web" });
const open = "echo the shop is open; exec sleep 600";

beforeAll(async () => {
  pages = await BrowserPages.open();
  port = await freePort();
  project = new DevProject({
    Tiltfile: tiltfile(),
    "src/index.html": "hello",
    "web.json": web(open),
  });
  up = project.start("up", "--allow-processes", "--dashboard-port", "0");
  const told = await up.until((event) => JSON.stringify(event).includes('"dashboard"'), "the link");
  link = (told as unknown as { readonly link: string }).link;
  await up.component("shop", "runtime ok");
});

afterAll(async () => {
  await pages.close();
  await project.close();
});

afterEach(async () => {
  await pages.leave();
});

const key = (name: string): string =>
  `#/component/${encodeURIComponent(`default/demo-dev-default/${name}`)}`;

it("shows components as the dev loop knows them, on two axes, with where to reach them", async () => {
  const page = await pages.visit(link);
  const shop = page.getByRole("row", { name: /shop/ });
  await shop.getByText("Runtime: ready").waitFor();
  expect(await shop.innerText()).toContain("Deployment");
  const tool = page.getByRole("row", { name: /tool/ });
  await tool.getByText("Update: updated").waitFor();
  await tool.getByText("Runtime: ready").waitFor();
  const endpoint = shop.getByRole("link", { name: `http://localhost:${port}/` });
  expect(await endpoint.getAttribute("href")).toBe(`http://localhost:${port}/`);
  await examine(page, "up-light");
});

it("shows the logs of commands, servers and pods", async () => {
  const page = await pages.visit(link, key("tool"));
  await page.getByRole("tab", { name: "Logs" }).click();
  const log = page.getByRole("log");
  await log.getByText("the tool was built").first().waitFor();
  await log.getByText("the tool serves").first().waitFor();
  await page.goto(`${new URL(link).origin}/${key("shop")}`);
  await page.getByRole("tab", { name: "Logs" }).click();
  await log.getByText("the shop is open").first().waitFor();
  await log.getByText("the image of the shop").first().waitFor();
});

it("triggers a component, and restarts a server without its command", async () => {
  const page = await pages.visit(link, key("tool"));
  await page.getByRole("tab", { name: "Logs" }).click();
  const log = page.getByRole("log");
  const served = log.getByText("the tool serves");
  const built = log.getByText("the tool was built");
  await served.first().waitFor();
  // Other tests may have restarted it, too.
  const [times, builds] = [await served.count(), await built.count()];
  await page.getByRole("button", { name: "Restart" }).click();
  await served.nth(times).waitFor();
  expect(await built.count()).toBe(builds);
  await page.getByRole("button", { name: "Trigger" }).click();
  await built.nth(builds).waitFor();
  await served.nth(times + 1).waitFor();
});

it("restarts a workload", async () => {
  const page = await pages.visit(link, key("shop"));
  await page.getByRole("button", { name: "Restart" }).click();
  const actions = page.getByRole("region", { name: "Actions" });
  await actions.getByText("shop was restarted").waitFor();
  await up.log("shop", "the shop is open");
});

it("disables a component: its objects and its server go, and come again when it is enabled", async () => {
  const page = await pages.visit(link, key("shop"));
  const actions = page.getByRole("region", { name: "Actions" });
  await page.getByRole("button", { name: "Disable" }).click();
  await actions.getByText("shop is disabled").waitFor();
  await page.getByText("it is disabled; `keelson trigger shop` enables it").waitFor();
  await page.getByRole("tab", { name: "Objects (0)" }).waitFor();
  expect((await project.run("status")).stdout).not.toContain("web");
  await examine(page, "disabled-light");
  // A change of what is disabled brings nothing back.
  project.write("web.json", web("echo the shop is new; exec sleep 600"));
  await up.load("successful");
  expect((await project.run("status")).stdout).not.toContain("web");
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("ready", { exact: true }).waitFor();
  await up.log("shop", "the shop is new");
  project.write("web.json", web(open));
  await up.log("shop", "the shop is open");

  await page.goto(`${new URL(link).origin}/${key("tool")}`);
  await page.getByRole("button", { name: "Disable" }).click();
  await actions.getByText("tool is disabled").waitFor();
  await page.getByText("not running", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("ready", { exact: true }).waitFor();
});

it("offers neither an apply nor a deletion of what the loop keeps running", async () => {
  const page = await pages.visit(link, "#/inventories");
  await page.getByText("Nothing: the source wishes for all of it.").waitFor();
  expect(await page.getByRole("button", { name: /Delete/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Plan" }).click();
  await page.getByText("Everything is as the source wishes").waitFor();
  expect(await page.getByRole("button", { name: "Apply this plan" }).count()).toBe(0);
});

it("says at the top that the source cannot be read, and what is wrong with it", async () => {
  const page = await pages.visit(link);
  await page.getByRole("link", { name: "tool" }).waitFor();
  project.write("Tiltfile", "k8s_yaml('web.json'\n");
  const source = page.getByRole("region", { name: "Source" });
  await source.getByText("what was read before goes on").waitFor();
  await source.getByText("Tiltfile:2:1").waitFor();
  expect(await page.getByRole("link", { name: "tool" }).count()).toBe(1);
  await examine(page, "source-error");
  project.write("Tiltfile", tiltfile());
  await source.waitFor({ state: "detached" });
});

it.each([
  ["up-dark", "#/", dark],
  ["up-narrow", "#/", narrow],
  ["up-component-dark", key("shop"), dark],
  ["up-component-narrow", key("shop"), narrow],
] as const)("%s", async (name, hash, look) => {
  const page = await pages.visit(link, hash, look);
  await page.locator(".axis.good", { hasText: "ready" }).first().waitFor();
  await examineLook(page, name, look);
});
