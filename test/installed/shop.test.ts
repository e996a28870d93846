/** The shop of all sources together, as somebody sees it who has just cloned, or installed the package. */
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Cluster, connectTo } from "../../src/cluster/index.ts";
import { fieldAt } from "../../src/json/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { TerminalShell } from "./terminal-shell.ts";

const root = join(import.meta.dirname, "../..");

it.each([
  ["npm start in a checkout", `cd '${root}' && npm start`],
  ["the installed package", "node examples/shop/start.ts"],
])("%s brings up all parts, and leaves nothing", async (_, line) => {
  const shell = await TerminalShell.open();
  onTestFinished(() => shell.close());
  await cp(join(root, "examples"), join(shell.folder, "examples"), { recursive: true });
  shell.type(line);
  const found = async (pattern: RegExp): Promise<string> => {
    await shell.shows(() => pattern.test(shell.text));
    return pattern.exec(shell.text)?.[1] ?? "";
  };
  const kubeconfig = await found(/export KUBECONFIG='(.+)'/);
  const dashboardLink = await found(/(http:\S+token=\S+)/);
  const storefrontLink = await found(/(http:\/\/localhost:\d+\/)/);
  await found(/^✓ (web) +updated +ready/m);
  await found(/(the storefront listens)/);

  const storefront = await fetch(storefrontLink);
  expect(await storefront.text()).toBe("Welcome to the shop\n");
  const dashboard = await fetch(dashboardLink, { redirect: "manual" });
  expect(dashboard.status).toBe(303);
  expect(dashboard.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");

  const cluster = connectTo(await settingsOf(kubeconfig));
  try {
    await untilAvailable(cluster, [
      "checkout", // of the bundle
      "products", // of the program
      "recommendations", // of the supply chain
      "reviews", // of the supply chain
      "search", // of the program
      "sessions", // of YAML
      "web", // of the Tiltfile
    ]);
  } finally {
    await cluster.close();
  }

  shell.press("\u0003");
  expect((await shell.ended()).code).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
  await expect(fetch(storefrontLink)).rejects.toThrow("fetch failed");
});

async function untilAvailable(cluster: Cluster, names: readonly string[]): Promise<void> {
  const found = new Map<string, boolean>();
  const kind = { apiVersion: "apps/v1", kind: "Deployment" };
  const signal = AbortSignal.timeout(90_000);
  for await (const event of cluster.watch(kind, { namespace: "shop", signal })) {
    if (event.kind === "bookmark") continue;
    for (const each of event.kind === "snapshot" ? event.objects : [event.object])
      found.set(each.metadata.name ?? "", Number(fieldAt(each, "status", "availableReplicas")) > 0);
    if (names.every((name) => found.get(name) === true)) break;
  }
  expect(
    [...found]
      .filter(([, isReady]) => isReady)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(names);
}
