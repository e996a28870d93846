import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import type { Provider } from "../../src/providers/index.ts";
import { testSeed } from "../test-seed.ts";
import { FaultWorld } from "./fault-world.ts";
import { playControllers } from "./simulation/play-controllers.ts";
import { type Played, playWriters, warmUp } from "./simulation/play-writers.ts";
import { desiredOf, languages, Sources } from "./simulation/sources.ts";
import { Timeline } from "./simulation/timeline.ts";

const schedules = 1_000;
const ways = [...languages, "controller"] as const;

const sources = new Sources();
beforeAll(async () => {
  await sources.read();
  for (const language of languages) await warmUp(language, sources);
});
afterAll(() => sources.close());

function play(seed: number): Promise<Played> {
  const way = ways[seed % ways.length] ?? "yaml";
  return way === "controller" ? playControllers(seed, sources) : playWriters(seed, way, sources);
}

it(`${schedules} schedules of faults lose nothing, whatever the source`, async () => {
  const first = (testSeed - 1) * schedules;
  // One of them again: KEELSON_SCHEDULE=17 npm test -- test/faults/simulation.test.ts
  const only = process.env["KEELSON_SCHEDULE"];
  const all =
    only === undefined
      ? Array.from({ length: schedules }, (_, index) => first + index)
      : [Number(only)];
  for (const seed of all)
    try {
      const { found, expected } = await play(seed);
      expect(found).toEqual(expected);
    } catch (error) {
      throw new Error(`schedule ${seed}: KEELSON_SCHEDULE=${seed} plays it again`, {
        cause: error,
      });
    }
}, 900_000);

it("the same seed is the same schedule", async () => {
  for (let seed = 0; seed < 2 * ways.length; seed++) {
    const { trace } = await play(seed);
    expect((await play(seed)).trace).toEqual(trace);
    expect(trace.length).toBeGreaterThan(20);
  }
});

describe("cases that schedules found", () => {
  let world: FaultWorld;
  beforeEach(() => {
    world = new FaultWorld();
  });
  afterEach(() => {
    world.close();
  });

  it("a record whose provider fails stays in the inventory", async () => {
    const { cluster } = world.client();
    const lost = new DiagnosticError([
      { code: "provider.crashed", severity: "error", summary: "it ended before it answered" },
    ]);
    const provider = { create: () => Promise.reject(lost) } as unknown as Provider;
    const providers = { provider: () => Promise.resolve(provider), close: () => Promise.resolve() };
    const [state] = sources.states("program");
    if (state === undefined) throw new Error("there is no program");
    const desired = await desiredOf(state, cluster, { time: new Timeline(), providers });
    const run = await world.applyOrFail(cluster, "", { desired });
    expect(run.hasFailures).toBe(true);
    expect(world.inventory()).toEqual(world.owned());
    expect(world.inventory()).toContainEqual(expect.stringContaining("Provisioned"));
  });

  it("a plan is made again when the run beside it could not tell how it ended", async () => {
    const { cluster } = world.client();
    const { store } = world.sandbox.context;
    await world.applyOrFail(cluster, configMaps("a", "b"));
    const made = store.get("/configmaps", "default", "b");
    const group = store.get("kpt.dev/resourcegroups", "default", "shop");
    if (made === undefined || group === undefined) throw new Error("nothing was applied");
    // Another run had begun, and had not made one of its objects yet.
    store.delete("/configmaps", "default", "b");
    const text = JSON.stringify(group.object).replaceAll('"Succeeded"', '"Pending"');
    store.put("kpt.dev/resourcegroups", JSON.parse(text) as KubernetesObject);
    let plans = 0;
    await world.applyOrFail(cluster, configMaps("a", "c"), {
      acceptPlan: () => {
        // It goes on while this one has planned and waits, and ends without another word.
        if (plans++ === 0) store.put("/configmaps", made.object);
        return Promise.resolve();
      },
    });
    expect({ violations: world.violations, owned: world.owned() }).toEqual({
      violations: [],
      owned: ["/ConfigMap/default/a", "/ConfigMap/default/c"],
    });
    expect(world.inventory()).toEqual(world.owned());
  });
});

function configMaps(...names: readonly string[]): string {
  return names
    .map(
      (name) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n---\n`,
    )
    .join("");
}
