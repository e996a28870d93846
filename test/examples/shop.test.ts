/** `npm start`: the shop of all sources together, as somebody sees it who has just cloned. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { type Cluster, connect } from "../../src/cluster/index.ts";
import { fieldAt } from "../../src/objects/index.ts";
import { settingsOf } from "../cluster/test-settings.ts";

const root = join(import.meta.dirname, "../..");

it("brings up all parts, serves the storefront and the dashboard, and leaves nothing", async () => {
  const child = spawn(process.execPath, ["examples/shop/start.ts"], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: "", CI: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let printed = "";
  child.stderr.on("data", (chunk) => (printed += String(chunk)));
  onTestFinished(async () => {
    child.kill("SIGINT");
    await exited;
  });
  const heard = new Map<string, string>();
  const wanted = new Map([
    ["kubeconfig", /export KUBECONFIG=(\S+)/],
    ["dashboard", /(http:\S+token=\S+)/],
    ["storefront", /(http:\/\/localhost:\d+\/)$/],
    ["ready", /web +│ (✓ ready.*)/],
  ]);
  for await (const line of createInterface({ input: child.stdout })) {
    printed += `${line}\n`;
    for (const [name, pattern] of wanted) {
      const [, found] = pattern.exec(line) ?? [];
      if (found !== undefined) heard.set(name, found);
    }
    if (heard.size === wanted.size) break;
  }
  child.stdout.resume();
  expect([...heard.keys()].toSorted(), printed).toEqual([...wanted.keys()].toSorted());

  const storefront = await fetch(heard.get("storefront") ?? "");
  expect(await storefront.text()).toBe("Welcome to the shop\n");
  const dashboard = await fetch(heard.get("dashboard") ?? "", { redirect: "manual" });
  expect(dashboard.status).toBe(303);
  expect(dashboard.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");

  const kubeconfig = heard.get("kubeconfig") ?? "";
  const cluster = connect(await settingsOf(kubeconfig));
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

  child.kill("SIGINT");
  expect(await exited).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
  await expect(fetch(heard.get("storefront") ?? "")).rejects.toThrow("fetch failed");
});

async function untilAvailable(cluster: Cluster, names: readonly string[]): Promise<void> {
  const found = new Map<string, boolean>();
  const kind = { apiVersion: "apps/v1", kind: "Deployment" };
  const signal = AbortSignal.timeout(30_000);
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
