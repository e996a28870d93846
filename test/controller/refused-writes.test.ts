import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { type Cluster, clusterOver, type Credentials } from "../../src/cluster/index.ts";
import { RetryingTransport } from "../../src/cluster/transport/retrying-transport.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { type Fault, FaultyTransport } from "../faults/faulty-transport.ts";
import { bundle, isReady, messageOf, settings, statesOf } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
/** What a client tries at most before it gives up. */
const mostAttempts = 12;

let world: ControllerWorld;
/** What writes of ConfigMaps meet, by name. */
const faults = new Map<string, Fault>();
let spoiled = 0;
beforeAll(async () => {
  world = await ControllerWorld.open(undefined, bundleDefinitions);
  const { namespace, sandbox } = world;
  if (sandbox === undefined) throw new Error("there is no sandbox");
  const faulty = (credentials?: Credentials): Cluster => {
    const inner = new InProcessTransport(sandbox, credentials);
    const transport = new FaultyTransport(inner, (_call, { method, path }) => {
      const name = path.split("/configmaps/")[1] ?? "";
      const fault = method === "PATCH" ? faults.get(name) : undefined;
      if (fault !== undefined) spoiled++;
      return fault;
    });
    return clusterOver(new RetryingTransport(transport), { namespace, as: faulty });
  };
  await world.run([bundleReconciler({ namespace })], faulty());
});
afterAll(async () => {
  await world.close();
});

it.each([
  ["503", "the API server failed (503)"],
  ["429", "the API server is overloaded"],
  ["500 before", "the API server failed (500)"],
] as const)("tells why a write is tried again and again: %s", async (fault, cause) => {
  const name = `refused-${fault.slice(0, 3)}`;
  faults.set(name, fault);
  spoiled = 0;
  await world.apply(bundle(name, settings.replaceAll("settings", name)));
  const found = await world.until(
    bundleKind,
    name,
    (object) => statesOf(object)[0] === "Error:RetriableError",
  );
  // Told while the first write is still under way, not when the client gives up.
  expect(spoiled).toBeLessThan(mostAttempts);
  expect(messageOf(found, "Error")).toContain(cause);
  expect(messageOf(found, "Error")).toContain("(it is tried again)");
  faults.delete(name);
  await world.until(bundleKind, name, isReady);
});
