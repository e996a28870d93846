import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TimedEvent } from "../../src/events/index.ts";
import { crashingPrograms, simulatedSituations } from "../causes/sandbox-situations.ts";
import { watchStatuses } from "../../src/apply/index.ts";
import { clusterOver } from "../../src/cluster/index.ts";
import type { ObjectIdentity } from "../../src/objects/index.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { patienceMs } from "../patience.ts";
import { serveInMemory } from "../../src/sandbox/serve-sandbox.ts";
import type { Ran } from "../cli/run-keelson.ts";
import { LiveWorld } from "./live-world.ts";

type Told = Extract<TimedEvent, { readonly type: "status" | "wait" }>;

/** One apply of everything that goes wrong, and then how it is; each situation looks at both. */
const listener = createServer();
await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
const { port } = listener.address() as AddressInfo;
const situations = [...simulatedSituations, ...crashingPrograms(port)];

describe("one cause, in the same words", () => {
  let world: LiveWorld;
  let sandbox: Awaited<ReturnType<typeof serveInMemory>>;
  let applied: Ran;
  let status: Ran;
  let json: readonly Told[];
  beforeAll(async () => {
    sandbox = await serveInMemory({ allowProcesses: true });
    world = new LiveWorld();
    world.write("kubeconfig", sandbox.kubeconfig);
    const group = `apiVersion: kpt.dev/v1alpha1
kind: ResourceGroup
metadata: {name: causes, namespace: default, labels: {cli-utils.sigs.k8s.io/inventory-id: causes}}
`;
    world.write("pkg/all.yaml", group + situations.map(({ manifest }) => manifest).join(""));
    const live = (line: string): Promise<Ran> =>
      world.live(`${line} --kubeconfig {home}/kubeconfig`);
    // All of it is brought there, and goes on failing; whatever takes long, nobody gives up on it.
    await live("apply pkg --reconcile-timeout 1s");
    await untilTold();
    applied = await live("apply pkg --wait-for-jobs --reconcile-timeout 10s");
    status = await live("status pkg");
    const { stdout } = await live("status pkg --output events-json");
    json = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Told);
  });
  afterAll(async () => {
    world.remove();
    await sandbox.close();
    listener.close();
  });

  /** What a run says of an object behind its name. */
  const sentenceOf = ({ stdout }: Ran, name: string): string | undefined =>
    stdout
      .split("\n")
      .find((line) => new RegExp(`^✗ \\S+ default/${name}[: ]`).test(line))
      ?.replace(/^[^:]*: /, "");

  /** Waits until each situation is what it shall become. */
  async function untilTold(): Promise<void> {
    const cluster = clusterOver(new InProcessTransport(sandbox.sandbox));
    try {
      const { items } = await cluster.list({
        apiVersion: "kpt.dev/v1alpha1",
        kind: "ResourceGroup",
      });
      const entries = items.flatMap(
        ({ spec }) => (spec as { readonly resources: readonly ObjectIdentity[] }).resources,
      );
      const { isOver, statuses } = await watchStatuses({
        cluster,
        entries,
        isOver: (all) =>
          situations.every(({ name, expected }) =>
            all.some(
              ({ identity, readiness }) =>
                identity.name === name && uncounted(readiness.message) === uncounted(expected),
            ),
          ),
        deadline: Date.now() + patienceMs,
        emit: () => {},
        signal: new AbortController().signal,
      });
      const told = statuses.map(
        ({ identity, readiness }) => `${identity.name}: ${readiness.message}`,
      );
      expect(isOver, told.join("\n")).toBe(true);
    } finally {
      await cluster.close();
    }
  }

  /** Time goes on between two looks, and what crashes does it again. */
  const uncounted = (text = ""): string => text.replaceAll(/\d+ times/g, "so many times");

  it.each(situations)("$name, as apply tells it", ({ name, expected, evidence }) => {
    expect(uncounted(sentenceOf(applied, name))).toBe(uncounted(expected));
    if (evidence !== undefined)
      expect(uncounted(applied.stdout)).toContain(
        `: ${uncounted(expected)}\n  │ ${evidence}\n  → `,
      );
  });

  it.each(situations)("$name, as status tells it", ({ name, expected }) => {
    const known = json.find(({ object }) => object?.name === name);
    expect(uncounted(known?.message)).toBe(uncounted(expected));
    expect(known?.cause?.summary).toBe(known?.message);
    expect(known?.cause?.action).toMatch(/^kubectl /);
    expect(uncounted(status.stdout)).toContain(`: ${uncounted(expected)}\n`);
  });
});
