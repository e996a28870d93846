import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startKeelson } from "../cli/start-keelson.ts";
import { connectTarget, type Target } from "../conformance/target.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-durability-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const rounds = 8;
const maps = "/api/v1/namespaces/default/configmaps";

interface Started {
  readonly target: Target;
  readonly kill: () => Promise<void>;
}

async function start(): Promise<Started> {
  const keelson = startKeelson(["sandbox", "--data", folder, "--output", "json"]);
  const ready = await keelson.nextLine();
  if (ready === undefined) throw new Error(`the sandbox did not start: ${keelson.errors()}`);
  const { kubeconfig } = JSON.parse(ready) as { readonly kubeconfig?: string };
  if (kubeconfig === undefined) throw new Error(`the sandbox did not start: ${ready}`);
  return {
    target: connectTarget(readFileSync(kubeconfig, "utf8")),
    kill: async () => {
      keelson.child.kill("SIGKILL");
      await keelson.exited;
    },
  };
}

/** Writes until the server is gone; returns what was acknowledged last for each name. */
async function write(
  target: Target,
  round: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let number = 0; ; number++) {
      const name = `map-${writer}-${number % 5}`;
      const value = `${round}-${number}`;
      const body = JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name },
        data: { value },
      });
      const headers = { "content-type": "application/apply-patch+yaml" };
      const path = `${maps}/${name}?fieldManager=test&force=true`;
      const answer = await target.send({ method: "PATCH", path, headers, body });
      if (answer.status >= 300) throw new Error(answer.text);
      acknowledged.set(name, value);
    }
  });
  await Promise.allSettled(writers);
}

/** Values of later rounds, and later ones of a round, are greater; what is missing is less than all. */
function orderOf(value: string): number {
  const [round = -1, number = -1] = value === "" ? [] : value.split("-").map(Number);
  return round * 1_000_000 + number;
}

it(
  "keeps every acknowledged write through kill -9 in a loop under load",
  { timeout: 120_000 },
  async () => {
    const acknowledged = new Map<string, string>();
    let highestVersion = 0;
    for (let round = 0; round < rounds; round++) {
      const { target, kill } = await start();
      const list = await target.send({ method: "GET", path: maps, headers: {} });
      const { items, metadata } = JSON.parse(list.text) as {
        readonly metadata: { readonly resourceVersion: string };
        readonly items: readonly {
          readonly metadata: { readonly name: string };
          readonly data?: { readonly value?: string };
        }[];
      };
      expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(highestVersion);
      const found = new Map(items.map((item) => [item.metadata.name, item.data?.value]));
      for (const [name, value] of acknowledged) {
        // A write that was under way when the server died may be there or not.
        const foundAt = orderOf(found.get(name) ?? "");
        expect(foundAt, `${name} was ${value}`).toBeGreaterThanOrEqual(orderOf(value));
      }
      highestVersion = Number(metadata.resourceVersion);
      const writing = write(target, round, acknowledged);
      if (round === 0) await expect.poll(() => acknowledged.size).toBeGreaterThan(10);
      await new Promise((resolve) => setTimeout(resolve, 40 + round * 25));
      await kill();
      await writing;
      target.close();
    }
    expect(acknowledged.size).toBeGreaterThan(10);
  },
);

it("refuses to let two processes write one store", async () => {
  const { kill } = await start();
  const second = startKeelson(["sandbox", "--data", folder]);
  expect(await second.exited).toBe(1);
  expect(second.errors()).toContain("sandbox.data-in-use");
  await kill();
});
