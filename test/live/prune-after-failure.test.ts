/** What left the input stays while its old version may still need it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { configMap, group, LiveWorld } from "./live-world.ts";

let world: LiveWorld;
beforeEach(async () => {
  world = new LiveWorld();
  await world.live("apply -", group("shop") + configMap("old"));
});
afterEach(() => {
  world.remove();
});

const broken = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {sandbox.keelson.dev/trouble: crash-loop}}
    spec: {containers: [{name: web, image: web}]}
`;

it("is kept when something new is not ready, and says why", async () => {
  const { code, stdout } = await world.live("apply -", group("shop") + broken);
  expect(code).toBe(3);
  expect(stdout).toContain("ConfigMap default/old kept: Deployment web is not ready");
  const { stdout: planned } = await world.live("plan -", group("shop") + configMap("new"));
  expect(planned).toContain("- ConfigMap default/old");
});

it("goes all the same where that is asked for", async () => {
  const ran = await world.live("apply - --prune-despite-failures", group("shop") + broken);
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining("old pruned") });
});

it("goes when nobody waits to see whether it is ready", async () => {
  const ran = await world.live("apply - --no-wait", group("shop") + broken);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("old pruned") });
});
