import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { bundle, bundleScenarios, messageOf, settings, statesOf, web } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

bundleScenarios(() => undefined);

/** Only the sandbox has pods that fail when they are asked to. */
describe("bundles with trouble", () => {
  let world: ControllerWorld;
  beforeAll(async () => {
    world = await ControllerWorld.open(undefined, bundleDefinitions);
    await world.run([bundleReconciler()]);
  });
  afterAll(async () => {
    await world.close();
  });

  it("say why their pods fail, and recover", async () => {
    const trouble = "sandbox.keelson.dev/trouble: crash-loop";
    const failing = web.replace(
      "metadata: { labels: { app: web } }",
      `metadata: { labels: { app: web }, annotations: { ${trouble} } }`,
    );
    const kind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
    await world.apply(bundle("shop", settings, failing));
    const found = await world.until(kind, "shop", (object) =>
      statesOf(object).includes("web=Error:TerminalError"),
    );
    expect(messageOf(found, "Error")).toMatch(/^web: the program fails with exit 1/);
    await world.apply(bundle("shop", settings, web));
    await world.until(kind, "shop", (object) => statesOf(object)[0] === "Ready");
  });
});
