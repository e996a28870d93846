import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { fieldAt, type JsonObject, objectsIn } from "../../src/json/index.ts";
import { BlueprintWorld, conditionOf, reasonOf } from "../blueprints/blueprint-world.ts";
import { ensureProgram } from "./binaries.ts";
import { cartographer, cartographerDefinitions } from "./cartographer.ts";
import { situations } from "./cartographer-situations.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

/** Building Cartographer takes minutes where it has not been built before. */
const buildTimeoutMs = 30 * 60_000;

/** The same objects on two control planes: Cartographer looks after those of the one, Keelson after the other's. */
describe("objects of carto.run have the status that Cartographer gives them", () => {
  let controlPlane: ControlPlane;
  let program: ChildProcess;
  let theirs: BlueprintWorld;
  let ours: BlueprintWorld;

  beforeAll(async () => {
    const path = await ensureProgram(cartographer, console.log);
    controlPlane = await startControlPlane({ report: console.log });
    theirs = await BlueprintWorld.open(controlPlane.kubeconfig, await cartographerDefinitions());
    const env = { ...process.env, KUBECONFIG: controlPlane.kubeconfig };
    program = spawn(path, [], { env, stdio: "ignore" });
    ours = await BlueprintWorld.open(inject("kubeconfig"));
    await Promise.all(
      [theirs, ours].flatMap((world) => [world.allow(), world.allow("default", "", "services")]),
    );
    await ours.control();
  }, buildTimeoutMs);
  afterAll(async () => {
    program.kill("SIGKILL");
    await ours.close();
    await theirs.cluster.close();
    await controlPlane.stop();
  });

  it.concurrent.each(situations)("$what", async ({ yaml, ready, kind = "Workload" }) => {
    const name = /name: (s\d+-)UNIQUE/.exec(yaml)?.[1] ?? "";
    const [expected, found] = await Promise.all(
      [theirs, ours].map(async (world) => {
        await world.apply(yaml);
        const owner = await world.until(
          { apiVersion: "carto.run/v1alpha1", kind },
          `${name}${world.unique}`,
          (object) => {
            const [status, reason] = ready.split(" ");
            return conditionOf(object, "Ready") === status && reasonOf(object) === reason;
          },
        );
        return statusOf(owner, world.unique);
      }),
    );
    expect(found).toEqual(expected);
  });
});

/** What a status says: without times, and without what only one of the two has a field for. */
function statusOf(owner: object | undefined, unique: string): unknown {
  const { conditions, resources, outputs } = fieldAt(owner, "status") as JsonObject;
  const said = {
    conditions,
    outputs,
    resources: objectsIn(resources).map(({ inputs = [], outputs = [], ...resource }) => ({
      ...resource,
      inputs,
      outputs,
    })),
  };
  const text = JSON.stringify(said).replaceAll(unique, "UNIQUE");
  return JSON.parse(text, (key, value: JsonObject) =>
    key === "lastTransitionTime" ? undefined : value,
  );
}
