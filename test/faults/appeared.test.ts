/** Objects that somebody else creates after a run has planned to create them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/index.ts";
import type { InventoryPolicy } from "../../src/inventory/index.ts";
import { FaultWorld } from "./fault-world.ts";
import { Chance } from "./simulation/chance.ts";
import { Cloud } from "./simulation/cloud.ts";
import { desiredOf, type Language, languages, Sources } from "./simulation/sources.ts";
import { Timeline } from "./simulation/timeline.ts";

const owner = "config.k8s.io/owning-inventory";
const sources = new Sources();
beforeAll(() => sources.read());
afterAll(() => sources.close());

let world: FaultWorld;
beforeEach(() => {
  world = new FaultWorld();
});
afterEach(() => {
  world.close();
});

/** Applies the smallest state of a language, with an object of somebody else that appears meanwhile. */
async function appliedBeside(
  language: Language,
  annotations: Readonly<Record<string, string>>,
  policy: InventoryPolicy,
): Promise<object> {
  const { cluster } = world.client();
  const [state] = sources.states(language);
  if (state === undefined) throw new Error("there is no state");
  const time = new Timeline();
  const providers = new Cloud(time, new Chance(0)).providers();
  const events: RunEvent[] = [];
  const run = await world.applyOrFail(cluster, "", {
    desired: await desiredOf(state, cluster, { time, providers }),
    policy,
    emit: (event) => void events.push(event),
    acceptPlan: async () => {
      const metadata = { name: "a", namespace: "default", annotations };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { theirs: "yes" } };
      await cluster.create(object, { fieldManager: "somebody" });
    },
  });
  const found = world.get("/configmaps", "default", "a");
  const reason = events.flatMap((event) =>
    event.type === "apply" && event.status === "skipped" && event.object.name === "a"
      ? [event.reason]
      : [],
  );
  return {
    refused: run.hasRefusals,
    failed: run.hasFailures,
    reason,
    data: found?.["data"],
    owner: found?.metadata.annotations?.[owner],
    isListed: world.inventory().includes("/ConfigMap/default/a"),
  };
}

describe.each(languages)("an object that appears after the plan, for %s", (language) => {
  it("is refused when it belongs to nobody", async () => {
    expect(await appliedBeside(language, {}, "strict")).toEqual({
      refused: true,
      failed: false,
      reason: ["NotOwned"],
      data: { theirs: "yes" },
      owner: undefined,
      isListed: false,
    });
  });

  it("is refused when it belongs to another inventory", async () => {
    expect(await appliedBeside(language, { [owner]: "theirs" }, "adopt")).toEqual({
      refused: true,
      failed: false,
      reason: ["OwnedByOther"],
      data: { theirs: "yes" },
      owner: "theirs",
      isListed: false,
    });
  });

  it("is adopted where the policy says so", async () => {
    expect(await appliedBeside(language, {}, "adopt")).toMatchObject({
      refused: false,
      failed: false,
      reason: [],
      data: { theirs: "yes" },
      owner: "shop-default",
      isListed: true,
    });
  });
});
