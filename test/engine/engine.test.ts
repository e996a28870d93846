/** The engine as a library: every verb, without a command line. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  apply,
  type Cluster,
  connect,
  destroy,
  graph,
  graphText,
  load,
  plan,
  type RunEvent,
  status,
} from "../../src/engine/library.ts";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";

let sandbox: CreatedSandbox;
let cluster: Cluster;
let folder: string;

beforeAll(async () => {
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "keelson-engine-"));
  await writeFile(join(folder, "kubeconfig"), sandbox.kubeconfig);
  cluster = await connect({ kubeconfig: join(folder, "kubeconfig") });
});
afterAll(async () => {
  await cluster.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const map = (name: string, color: string, dependsOn?: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  annotations: {${dependsOn === undefined ? "" : `config.kubernetes.io/depends-on: /namespaces/default/ConfigMap/${dependsOn}`}}
data: {color: ${color}}
---
`;

async function eventsOf(run: AsyncIterable<RunEvent>): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const event of run)
    if ("object" in event && "status" in event)
      seen.push(`${event.type} ${event.object.name} ${event.status}`);
  return seen;
}

describe("the verbs", () => {
  it("load, plan, apply, look, and destroy", async () => {
    const file = join(folder, "a.yaml");
    await writeFile(file, map("one", "red") + map("two", "blue", "one"));
    const inventory = { name: "verbs" };
    const desired = await load(file, { cluster, inventory });
    expect(desired.kind).toBe("objects");
    const { drawn, graph: made } = graph(desired);
    expect(graphText(drawn, made.order())).toContain("needs ConfigMap one: its annotation");
    const planned = await plan(desired);
    expect([...planned.plan.nodes.values()].map(({ action }) => action)).toEqual([
      "create",
      "create",
    ]);
    const run = apply(planned);
    expect(await eventsOf(run)).toEqual([
      "plan one create",
      "plan two create",
      "apply one successful",
      "wait one successful",
      "apply two successful",
      "wait two successful",
    ]);
    expect((await run.result).hasFailures).toBe(false);
    const looked = status(desired);
    expect(await eventsOf(looked)).toEqual(["status one Current", "status two Current"]);
    const { objects } = await looked.result;
    expect(objects.map(({ readiness }) => readiness.status)).toEqual(["Current", "Current"]);
    expect(await eventsOf(destroy(desired))).toContain("delete one successful");
    expect((await status(desired).result).objects).toEqual([]);
    await desired.close();
  });

  it("applies a plan exactly as it was made, or not at all", async () => {
    const file = join(folder, "b.yaml");
    await writeFile(file, map("planned", "red"));
    const inventory = { name: "exact" };
    const desired = await load(file, { cluster, inventory });
    const planned = await plan(desired);
    await apply(desired).result;
    await expect(apply(planned).result).rejects.toThrow("the saved plan no longer holds");
    await destroy(desired).result;
    await desired.close();
  });

  it("plans with what is there at that moment, however often", async () => {
    const file = join(folder, "d.yaml");
    await writeFile(file, map("edited", "red"));
    const desired = await load(file, { cluster, inventory: { name: "edited" } });
    await apply(desired).result;
    const actions = async (): Promise<readonly string[]> =>
      [...(await plan(desired)).plan.nodes.values()].map(({ action }) => action);
    expect(await actions()).toEqual(["unchanged"]);
    const before = await plan(desired);
    const edit = { data: { color: "blue" } };
    const reference = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "edited" };
    await cluster.patch(reference, "merge", edit, { fieldManager: "keelson" });
    expect(await actions()).toEqual(["update"]);
    await expect(apply(before).result).rejects.toThrow("the saved plan no longer holds");
    await destroy(desired).result;
    await desired.close();
  });

  it("stops when it is told to, before anything is written", async () => {
    const file = join(folder, "c.yaml");
    await writeFile(file, map("stopped", "red"));
    const desired = await load(file, { cluster, inventory: { name: "stopped" } });
    const stop = new AbortController();
    const run = apply(desired, {
      signal: stop.signal,
      acceptPlan: () => {
        stop.abort();
        return Promise.resolve();
      },
    });
    await expect(eventsOf(run)).rejects.toThrow("aborted");
    expect((await status(desired).result).objects).toEqual([]);
    await desired.close();
  });

  it("says what is missing where there is no cluster", async () => {
    await expect(connect({ environment: { HOME: folder } })).rejects.toMatchObject({
      diagnostics: [{ code: "cluster.none" }],
    });
  });
});
