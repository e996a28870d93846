import { describe, expect, test } from "vitest";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import type { JsonValue } from "../../src/json/index.ts";
import type { KnownOutputs, ProgramGraph } from "../../src/resources/index.ts";
import { isDeferredValue } from "../../src/resources/index.ts";
import { graphText, programText, withProgram } from "./program-world.ts";

const header =
  'import { each, k8s, output, provisioned, random, Resource, when } from "keelson";\n';
const config = "dev:shop:main:keelson:k8s/ConfigMap#a";

/** The values that are not known, by the last step of where they stand. */
function deferredIn(graph: ProgramGraph): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const visit = (value: unknown, key: string): void => {
    if (isDeferredValue(value)) found.set(key, value.$deferred);
    else if (typeof value === "object" && value !== null) {
      for (const [inner, each] of Object.entries(value)) visit(each, inner);
    }
  };
  for (const { inputs } of graph.resources) visit(inputs, "");
  return found;
}

test("values are computed from what the resources turned out to be", async () => {
  const program = `${header}
    const a = new k8s.ConfigMap("a", { data: { x: "1" } });
    new k8s.Secret("b", { stringData: {
      uid: a.metadata.uid,
      text: \`<\${a.metadata.uid}>\` + "!",
      mapped: output([a.metadata.uid, a.metadata.name]).map(([uid, name]) => uid.toUpperCase() + name.length),
      chosen: when(a.metadata.labels.big, "big", "small"),
      list: each(a.metadata.finalizers, (each) => each + "/x"),
    } as never });
  `;
  const outputs: KnownOutputs = new Map([
    [config, { metadata: { uid: "u1", name: "abc", labels: { big: "" }, finalizers: ["f", "g"] } }],
  ]);
  await withProgram(program, {}, async ({ evaluation: { graph, diagnostics, resolve } }) => {
    expect(diagnostics).toEqual([]);
    const found: Record<string, JsonValue> = {};
    for (const [key, deferred] of deferredIn(graph)) found[key] = await resolve(deferred, outputs);
    expect(found).toEqual({
      uid: "u1",
      text: "<u1>!",
      mapped: "U13",
      chosen: "small",
      list: ["f/x", "g/x"],
    });
  });
});

test("a function that fails or allocates while applying says so", async () => {
  const program = `${header}
const a = new k8s.ConfigMap("a", {});
new k8s.Secret("b", { stringData: {
  thrown: output(a.metadata.uid).map((uid) => { throw new Error("no " + uid); }),
  allocated: output(a.metadata.uid).map((uid) => new k8s.Secret(uid, {}).kind),
} });
`;
  const outputs: KnownOutputs = new Map([[config, { metadata: { uid: "u1" } }]]);
  await withProgram(program, {}, async ({ evaluation: { graph, resolve, close } }) => {
    const problems: string[] = [];
    for (const deferred of deferredIn(graph).values()) {
      const error: unknown = await resolve(deferred, outputs).catch((reason: unknown) => reason);
      if (!(error instanceof DiagnosticError)) throw error;
      const [first] = error.diagnostics;
      problems.push(`${first?.code} ${first?.summary} ${first?.source?.start.line}`);
    }
    expect(problems).toEqual([
      "program.threw The program threw Error: no u1 5",
      "program.late-allocation Secret is allocated after the program was evaluated 6",
    ]);
    await close();
    await expect(resolve(0, outputs)).rejects.toThrow("ended while its values were still needed");
  });
});

test("a function that never ends while applying is stopped", async () => {
  const program = `${header}
    const a = new k8s.ConfigMap("a", {});
    new k8s.Secret("b", { stringData: { x: output(a.metadata.uid).map(() => { for (;;); }) } });`;
  const outputs: KnownOutputs = new Map([[config, { metadata: { uid: "u1" } }]]);
  await withProgram(program, { resolveTimeoutMs: 200 }, async ({ evaluation: { resolve } }) => {
    await expect(resolve(0, outputs)).rejects.toThrow("was still running after 0.2 seconds");
    await expect(resolve(0, outputs)).rejects.toThrow("was still running after 0.2 seconds");
  });
});

test("a property that is not there after all is an error, unless something is computed from it", async () => {
  const program = `${header}
const a = new k8s.ConfigMap("a", {});
new k8s.Secret("b", { stringData: {
  direct: a.metadata.annotations.x,
  text: \`http://\${a.metadata.annotations.x}\`,
  computed: output(a.metadata.annotations.x).map((value) => value ?? "none"),
} });
`;
  const outputs: KnownOutputs = new Map([[config, { metadata: {} }]]);
  await withProgram(program, {}, async ({ evaluation: { graph, resolve } }) => {
    const found: Record<string, unknown> = {};
    for (const [key, deferred] of deferredIn(graph)) {
      found[key] = await resolve(deferred, outputs).catch((error: unknown) =>
        error instanceof DiagnosticError ? error.diagnostics.map(({ code }) => code) : error,
      );
    }
    expect(found).toEqual({
      direct: ["program.missing-output"],
      text: ["program.missing-output"],
      computed: "none",
    });
  });
});

test("in a later stage the values of resources that are there are plain", async () => {
  const program = `${header}
    const a = new k8s.ConfigMap("a", { data: { x: "1" } });
    const b = new k8s.ConfigMap("b", {});
    if (a.metadata.uid === "u1") new k8s.Secret("c", { stringData: { uid: a.metadata.uid, labels: JSON.stringify(a.metadata.labels), none: String(a.metadata.resourceVersion), b: b.metadata.uid } });
    for (const item of a.metadata.finalizers) new k8s.Secret(item, {});
  `;
  const stage = new Map<string, JsonValue>([
    [config, { metadata: { uid: "u1", labels: { x: "y" }, finalizers: ["f", "g"] } }],
  ]);
  const text = await withProgram(program, { stage }, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    return graphText(graph);
  });
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:keelson:k8s/ConfigMap#a (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "a"}, data: {x: "1"}}
    dev:shop:main:keelson:k8s/ConfigMap#b (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "b"}}
    dev:shop:main:keelson:k8s/Secret#c (kubernetes)
      {apiVersion: "v1", kind: "Secret", metadata: {name: "c"}, stringData: {uid: "u1", labels: "{\\"x\\":\\"y\\"}", none: "undefined", b: <ConfigMap#b.metadata.uid>}}
      → dev:shop:main:keelson:k8s/ConfigMap#a: stringData.uid uses its metadata.uid
      → dev:shop:main:keelson:k8s/ConfigMap#b: stringData.b uses its metadata.uid
    dev:shop:main:keelson:k8s/Secret#f (kubernetes)
      {apiVersion: "v1", kind: "Secret", metadata: {name: "f"}}
    dev:shop:main:keelson:k8s/Secret#g (kubernetes)
      {apiVersion: "v1", kind: "Secret", metadata: {name: "g"}}"
  `);
});

describe("ordinary code works as in any program", () => {
  const programs: Readonly<Record<string, readonly [code: string, data: Record<string, string>]>> =
    {
      "files, fetch and top-level await": [
        `import { readFile } from "node:fs/promises"; import { createServer } from "node:http"; import { once } from "node:events";
         const server = createServer((_, response) => response.end("served")).listen(0, "127.0.0.1");
         await once(server, "listening");
         const { port } = server.address() as { port: number };
         const fetched = await (await fetch("http://127.0.0.1:" + port)).text();
         server.close(); server.closeAllConnections();
         const settings = JSON.parse(await readFile(new URL("keelson.json", import.meta.url), "utf8"));
         new k8s.ConfigMap("a", { data: { fetched, project: settings.project } });`,
        { fetched: "served", project: "shop" },
      ],
      "a main function that nobody awaits": [
        `async function main() { await new Promise((resolve) => setTimeout(resolve, 5)); new k8s.ConfigMap("a", { data: { late: "yes" } }); }
         main();`,
        { late: "yes" },
      ],
      "private fields, accessors, generators, generics, parameter properties": [
        `class Shop<T extends string> extends Resource {
           #secret = "s"; private names: T[];
           constructor(private readonly color: T, ...names: T[]) { super({ color, names }); this.names = names; new k8s.ConfigMap("a", { data: { text: this.text, list: [...this.all()].join() } }); }
           get text() { return this.#secret + this.color; }
           *all(): Generator<T> { yield* this.names; }
         }
         new Shop("red", "x", "y");`,
        { text: "sred", list: "x,y" },
      ],
      "an enum and a namespace": [
        'enum Size { Small = 1, Big } namespace Names { export const main = "m"; } new k8s.ConfigMap("a", { data: { size: Size[2]!, name: Names.main } });',
        { size: "Big", name: "m" },
      ],
      "instanceof, methods and fields of resources": [
        `class Shop extends Resource { readonly size = 3; double() { return this.size * 2; } }
         const shop = new Shop({ color: "red" });
         new k8s.ConfigMap("a", { data: { is: String(shop instanceof Shop && shop instanceof Resource), double: String(shop.double()), same: String(shop.double === shop.double), color: (shop as never as { color: string }).color, keys: Object.keys(shop).join() } });`,
        { is: "true", double: "6", same: "true", color: "red", keys: "size" },
      ],
    };

  test.for(Object.entries(programs))("%s", async ([, [code, data]]) => {
    await withProgram(header + code, {}, ({ evaluation: { graph, diagnostics } }) => {
      expect(diagnostics).toEqual([]);
      const found = graph.resources.find(({ type }) => type === "keelson:k8s/ConfigMap");
      expect((found?.inputs as { data?: unknown } | undefined)?.data).toEqual(data);
    });
  });
});

test("what a program prints is handed over", async () => {
  await withProgram('console.log("out"); console.error("err");', {}, async (evaluated) => {
    await evaluated.evaluation.close();
    expect(evaluated.printed().split("\n").toSorted()).toEqual(["", "err", "out"]);
  });
});

test("options arrive as data", async () => {
  const program = `${header}
    const first = new random.Password("p", { length: 8 }, { secret: ["length"] });
    class Bucket extends Resource {}
    new Bucket({ deletionPolicy: "retain", size: 1 });
    new Bucket("b", { deletionPolicy: "retain" }, { deletionPolicy: "delete", protect: true, ignoreChanges: ["a.b"], replaceOnChanges: ["c"], deleteBeforeReplace: true, timeouts: { create: "30s" }, aliases: ["#old", "shop:old:shop:main/Bucket", "dev#gone"], dependsOn: first });
  `;
  await withProgram(program, {}, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    expect(
      graph.resources.map(({ options, aliases, inputs }) => ({ options, aliases, inputs })),
    ).toEqual([
      { options: { secret: ["value", "length"] }, aliases: [], inputs: { length: 8 } },
      { options: { deletionPolicy: "retain" }, aliases: [], inputs: { size: 1 } },
      {
        options: {
          deletionPolicy: "delete",
          protect: true,
          ignoreChanges: ["a.b"],
          replaceOnChanges: ["c"],
          deleteBeforeReplace: true,
          timeouts: { create: "30s" },
        },
        aliases: [
          "dev:shop:main:shop:main/Bucket#old",
          "dev:shop:old:shop:main/Bucket",
          "dev#gone",
        ],
        inputs: {},
      },
    ]);
  });
});

test("a program with a provider of its own, and its graph as data that can be copied", async () => {
  const files = {
    "package.json": '{ "name": "shop", "keelson": { "provider": "./provider.js" } }',
    "main.ts": `${header}
      export class Bucket extends Resource { readonly arn: string = provisioned(); declare readonly region: string; }
      class Logs extends Bucket { readonly arn: string; readonly kept: string; constructor() { super("logs", { region: "eu" }); this.kept = this.arn; } }
      class All extends Resource { static composite = true; constructor() { super(); const logs = new Logs(); new Bucket({ of: logs.arn, kept: logs.kept, region: logs.region, logs }); } }
      new All();`,
  };
  const text = await programText(files);
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:shop:main/All (composite)
      {}
      → dev:shop:main/All:shop:main/Logs#logs: allocates it
      → dev:shop:main/All:shop:main/Bucket: allocates it
    dev:shop:main/All:shop:main/Logs#logs (provider)
      {region: "eu"}
    dev:shop:main/All:shop:main/Bucket (provider)
      {of: <Logs#logs.arn>, kept: <Logs#logs.arn>, region: "eu", logs: <Logs "logs" of Logs#logs>}
      → dev:shop:main/All:shop:main/Logs#logs: of uses its arn"
  `);
  await withProgram(files, {}, ({ evaluation: { graph } }) => {
    expect(structuredClone(graph)).toEqual(graph);
    expect(JSON.parse(JSON.stringify(graph))).toEqual(graph);
    expect(graph.resources.map(({ type, providerType }) => [type, providerType])).toEqual([
      ["shop:main/All", "shop:main/All"],
      ["shop:main/Logs", "shop:main/Logs"],
      ["shop:main/Bucket", "shop:main/Bucket"],
    ]);
  });
});
