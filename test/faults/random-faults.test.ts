import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FaultWorld } from "./fault-world.ts";
import { type Fault, faults } from "./faulty-transport.ts";

const names = ["a", "b", "c", "d", "e", "f"];

const map = (name: string, value: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\ndata:\n  value: "${value}"\n---\n`;

const run = fc.record({
  wanted: fc.subarray(names),
  value: fc.integer({ min: 0, max: 2 }),
  /** Which calls are spoiled, and how; a number for each call, used again and again. */
  spoiled: fc.array(fc.option(fc.constantFrom<Fault>(...faults), { freq: 8 }), {
    minLength: 1,
    maxLength: 60,
  }),
  retries: fc.boolean(),
});

it("random runs with random faults lose nothing, and one without ends them well", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
      const world = new FaultWorld();
      try {
        for (const { wanted, value, spoiled, retries } of runs) {
          world.removeLease();
          const decide = (call: number): Fault | undefined =>
            spoiled[call % spoiled.length] ?? undefined;
          const { cluster } = world.client(decide, retries);
          const text = wanted.map((name) => map(name, value)).join("");
          await world.apply(cluster, text, { timeoutMs: 500 });
        }
        world.removeLease();
        const { cluster } = world.client();
        expect(await world.apply(cluster, map("a", 9))).toMatchObject({ hasFailures: false });
        expect(world.owned()).toEqual(["/ConfigMap/default/a"]);
        expect(world.inventory()).toEqual(["/ConfigMap/default/a"]);
        expect((await world.apply(cluster, map("a", 9)))?.counts.apply.unchanged).toBe(1);
        expect(world.violations).toEqual([]);
      } finally {
        world.close();
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);
