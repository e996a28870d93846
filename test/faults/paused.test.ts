import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";
import { configMap, group } from "../live/live-world.ts";
import { StoppedProcess } from "./stopped-process.ts";

const owner = "config.k8s.io/owning-inventory";
const names = Array.from({ length: 59 }, (_, index) => `c${index}`);
const kept = names.slice(0, 50);

const text = (wanted: readonly string[], value: string): string =>
  group("pause") + wanted.map((name) => configMap(name, { value })).join("");

/** Stops a run when it has written so often, lets another one take over, and lets the first go on. */
async function pauseAt(write: number): Promise<{
  readonly first: number | null;
  readonly said: string;
  readonly second: number;
  readonly orphans: readonly string[];
  readonly missing: readonly string[];
}> {
  const world = await StoppedProcess.open(/^(?:\/configmaps|kpt\.dev\/|coordination\.k8s\.io\/)/);
  try {
    writeFileSync(join(world.folder, "input.yaml"), text(names, "first"));
    const stopped = Promise.withResolvers<() => void>();
    const first = world.run(["live", "apply", "input.yaml"], (child, count) => {
      if (count !== write) return;
      child.kill("SIGSTOP");
      stopped.resolve(() => {
        child.kill("SIGCONT");
      });
    });
    const goOn = await stopped.promise;
    const args = ["live", "apply", "-", "--kubeconfig", world.kubeconfig];
    const { folder } = world;
    const second = await runKeelson(args, {
      stdin: text(kept, "second"),
      env: { HOME: folder },
      workingDirectory: folder,
    });
    goOn();
    const { code, stdout, stderr } = await first;
    const { items } = await world.cluster.list({ apiVersion: "v1", kind: "ConfigMap" });
    const owned = items.filter(({ metadata }) => metadata.annotations?.[owner] !== undefined);
    const found = await world.cluster.get({
      apiVersion: "kpt.dev/v1alpha1",
      kind: "ResourceGroup",
      namespace: "default",
      name: "pause",
    });
    const { resources = [] } = found["spec"] as { resources?: { name: string }[] };
    const known = new Set(resources.map(({ name }) => name));
    const right = new Set(
      owned.flatMap(({ metadata, ...rest }) =>
        JSON.stringify(rest["data"]) === '{"value":"second"}' ? (metadata.name ?? "") : [],
      ),
    );
    return {
      first: code,
      said: stdout + stderr,
      second: second.code,
      orphans: owned.map(({ metadata }) => metadata.name ?? "").filter((name) => !known.has(name)),
      missing: kept.filter((name) => !right.has(name)),
    };
  } finally {
    await world.close();
  }
}

describe("a process that is stopped for longer than its Lease lasts", () => {
  // With the Lease, with the inventory, with objects, with the last of them.
  it(
    "writes nothing when it goes on, says who took over, and fails",
    { timeout: 240_000 },
    async () => {
      const writes = [1, 2, 3, 20, 60];
      const ends = await Promise.all(writes.map(pauseAt));
      expect(
        ends.map(({ first, second, orphans, missing }) => ({ first, second, orphans, missing })),
      ).toEqual(
        // Who has not begun to write fails as one that never could.
        writes.map((at) => ({ first: at === 1 ? 1 : 3, second: 0, orphans: [], missing: [] })),
      );
      for (const { said } of ends)
        expect(said).toMatch(
          /the Lease default\/pause was lost, so this run stopped: another run took it over/,
        );
    },
  );
});
