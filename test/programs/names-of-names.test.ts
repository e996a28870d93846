/** Names that follow from names: a chain is known as a whole before anything is written. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../../src/cluster/index.ts";
import { apply, load, plan } from "../../src/engine/library.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/create-sandbox.ts";
import { FaultyTransport } from "../faults/faulty-transport.ts";

const length = 30;

let sandbox: Sandbox;
let cluster: Cluster;
let calls: readonly string[];
let folder: string;

beforeEach(async () => {
  sandbox = openSandbox();
  const transport = new FaultyTransport(new InProcessTransport(sandbox), () => undefined);
  calls = transport.calls;
  cluster = clusterOver(transport);
  folder = await mkdtemp(join(tmpdir(), "keelson-names-"));
  await writeFile(join(folder, "keelson.json"), '{"project": "names"}');
});
afterEach(async () => {
  sandbox.close();
  await rm(folder, { recursive: true });
});

/** Each ConfigMap but the first holds the name of the one before it. */
async function write(naming: string, first: string): Promise<void> {
  const text = `import { k8s } from "keelson";
let before: string = "${first}";
for (let index = 0; index < ${length}; index++) {
  const map = new k8s.ConfigMap(\`m\${index}\`, { data: { before } }, { naming: "${naming}" });
  before = map.metadata.name;
}
`;
  await writeFile(join(folder, "main.ts"), text);
}

async function planned(): Promise<Readonly<Record<string, number>>> {
  const desired = await load(folder, { cluster });
  const changes = await (await plan(desired)).changes();
  await desired.close();
  const counts: Record<string, number> = {};
  for (const { node } of changes) counts[node.action] = (counts[node.action] ?? 0) + 1;
  return counts;
}

async function applied(): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const desired = await load(folder, { cluster });
  const { counts } = await apply(desired).result;
  await desired.close();
  return { apply: counts.apply, prune: counts.prune };
}

describe.each(["random", "contentsHash"])("a chain of names with naming: %s", (naming) => {
  it("is planned and applied in one stage, however long it is", async () => {
    await write(naming, "one");
    expect(await planned()).toEqual({ create: length });
    expect((await applied())["apply"]).toMatchObject({ created: length, skipped: 0, failed: 0 });
    expect(await planned()).toEqual({ unchanged: length });

    await write(naming, "two");
    const before = calls.length;
    expect(await planned()).toEqual({ create: length, delete: length });
    const asked = calls.slice(before);
    expect(asked.filter((call, index) => asked.indexOf(call) !== index)).toEqual([]);
    expect(await applied()).toMatchObject({
      apply: { created: length, configured: 0, skipped: 0, failed: 0 },
      prune: { successful: length, failed: 0, skipped: 0 },
    });
    expect(await planned()).toEqual({ unchanged: length });
  });
});
