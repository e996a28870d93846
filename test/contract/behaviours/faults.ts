/** Other writers, servers that fail, and runs that are killed. */
import { expect } from "vitest";
import { type Behaviour, expectFine } from "../behaviour.ts";
import type { Cell } from "../cell.ts";
import { isWrite } from "../line.ts";
import { map, type Part } from "../parts.ts";

/** More runs than there are calls that can fail once. */
const mostRuns = 12;

const state: readonly Part[] = [map("a"), { ...map("b"), after: ["a"] }, map("c")];

/** Lets somebody else be the one who may write. */
async function holdLease({ way, cluster }: Cell, renewTime: string): Promise<void> {
  const { namespace, name } = way.lease;
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace },
    spec: {
      holderIdentity: "somebody",
      leaseDurationSeconds: 3600,
      acquireTime: renewTime,
      renewTime,
    },
  };
  await cluster.apply(lease, { fieldManager: "somebody", force: true });
}

async function freeLease({ way, cluster }: Cell): Promise<void> {
  const { namespace, name } = way.lease;
  const reference = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace, name };
  if ((await cluster.find(reference)) !== undefined) await cluster.delete(reference);
}

async function expectAll(cell: Cell): Promise<void> {
  for (const part of state) {
    const object = await cell.get(part);
    expect(cell.way.owns(object)).toBe(true);
  }
}

export const faults: readonly Behaviour[] = [
  {
    name: "waits for another writer",
    given: "somebody else who holds the Lease, and lets it go after a while",
    must: "nothing is written meanwhile, the run names who has it, and then goes on",
    expect: async (cell) => {
      await holdLease(cell, new Date().toISOString().replace("Z", "000Z"));
      const run = cell.way.apply([map("a")]);
      await cell.until(
        async () => (await cell.way.reported()).includes("somebody"),
        "it names who has the Lease",
      );
      expect(await cell.find(map("a"))).toBeUndefined();
      await freeLease(cell);
      expectFine(await run);
      expect(await cell.find(map("a"))).toBeDefined();
    },
  },
  {
    name: "survives a fault at each call",
    given: "a server that answers each call with 500 when it comes for the first time",
    must: "runs that follow each other make all objects, own them, and know them to delete them",
    expect: async (cell) => {
      const seen = new Set<string>();
      cell.way.line.intercept = ({ method, path, query }) => {
        const isWatch = query.includes("watch=");
        const key = `${method} ${path} ${String(isWatch)}`;
        if (seen.has(key)) return undefined;
        seen.add(key);
        return 500;
      };
      let outcome = await cell.way.apply(state);
      for (let runs = 1; runs < mostRuns && !outcome.isFine; runs++)
        outcome = await cell.way.again();
      expectFine(outcome);
      await expectAll(cell);
      expect(seen.size).toBeGreaterThan(8);
      cell.way.line.intercept = () => undefined;
      expectFine(await cell.way.destroy());
      for (const part of state) expect(await cell.find(part)).toBeUndefined();
    },
  },
  {
    name: "recovers from a kill at each write",
    given: "a run of which nothing reaches the server any more after its first, second … write",
    must: "the next run makes all objects, owns them, and knows them to delete them",
    shownBy: {
      program: {
        file: "test/faults/killed-programs.test.ts",
        test: "with kill -9 at any write is finished by one more run, with each thing made once",
      },
      "bundle by controller": {
        file: "test/controller/killed-controller.test.ts",
        test: "leaves nothing undone and nothing done twice, whichever write was its last",
      },
      "supply chain by controller": {
        file: "test/blueprints/takeover-scenarios.ts",
        test: "loses nothing and doubles nothing",
      },
    },
    expect: async (cell) => {
      for (let last = 1; ; last++) {
        let writes = 0;
        cell.way.line.intercept = (call) => {
          if (writes >= last) return 403;
          if (isWrite(call)) writes++;
          return undefined;
        };
        const killed = await cell.way.apply(state, { readyWithinMs: 2_000 });
        cell.way.line.intercept = () => undefined;
        await freeLease(cell);
        expectFine(await cell.way.again());
        await expectAll(cell);
        expectFine(await cell.way.destroy());
        for (const part of state) expect(await cell.find(part)).toBeUndefined();
        // It came to its end before that many writes: every one of them was tried.
        if (killed.isFine) {
          expect(last).toBeGreaterThan(state.length);
          return;
        }
      }
    },
  },
];
