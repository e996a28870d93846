import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleDefinitions } from "../../src/bundles/index.ts";
import { type Cluster, clusterOver, type Credentials } from "../../src/cluster/index.ts";
import { bundleReconciler } from "../../src/controller/index.ts";
import { bundleObjects } from "../../src/engine/desired/bundle-state.ts";
import { readObjectsFromText } from "../../src/objects/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { type Lie, LyingTransport } from "../faults/lying-transport.ts";
import { bundle, isReady, messageOf, settings, statesOf } from "./bundle-scenarios.ts";
import { ControllerWorld } from "./controller-world.ts";

const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };

/** A bundle with a Deployment whose example our rules refuse, and whose value they do not. */
const policies = (name: string): string =>
  bundle(
    name,
    settings.replaceAll("settings", `${name}-settings`).replace("red", "Default"),
    `
  - name: ${name}
    references: [{ name: policy, resource: ${name}-settings, path: data.colour, example: Sometimes }]
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: ${name} }
        spec:
          replicas: 0
          selector: { matchLabels: { app: ${name} } }
          template:
            metadata: { labels: { app: ${name} } }
            spec:
              dnsPolicy: "!{policy}"
              containers: [{ name: web, image: "web:1" }]`,
  );

let world: ControllerWorld;
let server: Cluster;
/** Dry runs that were sent, as the names of their objects. */
const asked: string[] = [];
beforeAll(async () => {
  world = await ControllerWorld.open(undefined, bundleDefinitions);
  const { namespace, sandbox } = world;
  if (sandbox === undefined) throw new Error("there is no sandbox");
  /** A server that takes a policy which our rules do not know, of some objects. */
  const takes: Lie = ({ body, path, query }) => {
    if (query?.["dryRun"] !== "All") return undefined;
    const name = path.slice(path.lastIndexOf("/") + 1);
    asked.push(name);
    return name.startsWith("newer") ? { status: 200, text: body ?? "" } : undefined;
  };
  const newer = (credentials?: Credentials): Cluster =>
    clusterOver(new LyingTransport(new InProcessTransport(sandbox, credentials), takes), {
      namespace,
      as: newer,
    });
  server = newer();
  await world.run([bundleReconciler({ namespace })], server);
});
afterAll(async () => {
  await world.close();
});

it("does not refuse an example that the server takes", async () => {
  await world.apply(policies("newer"));
  await world.until(bundleKind, "newer", isReady);
  const askedOfIt = asked.filter((name) => name.startsWith("newer"));
  expect(new Set(askedOfIt)).toEqual(new Set(["newer-keelson-check"]));
});

it("refuses an example that the server refuses, with the field that is wrong", async () => {
  await world.apply(policies("older"));
  const found = await world.until(bundleKind, "older", (object) =>
    statesOf(object).includes("older=Error:TerminalError"),
  );
  expect(messageOf(found, "Error")).toContain(
    "older: with its examples: Deployment older is invalid: spec.template.spec.dnsPolicy",
  );
});

it.each([
  ["newer", []],
  ["older", ["bundle.invalid-example"]],
])("leaves that to the server also without a controller: %s", async (name, codes) => {
  const { objects } = readObjectsFromText("bundle.yaml", policies(name));
  const { diagnostics } = await bundleObjects(objects, [], {
    workingDirectory: "/",
    namespace: world.namespace,
    isNamespaced: () => true,
    server,
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});
