import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { withProgram } from "./program-world.ts";
import type { ProgramFiles } from "./program-world.ts";
import type { EvaluateOptions } from "../../src/sources/program/index.ts";

const program = 'import { k8s } from "keelson";\nnew k8s.Namespace({});\n';

interface ProjectCase {
  readonly files: ProgramFiles;
  readonly options?: Partial<EvaluateOptions>;
  /** Project, environment, namespace and the name of the one resource. */
  readonly expected: readonly [string, string, string | undefined, string];
}

const cases: Readonly<Record<string, ProjectCase>> = {
  "a directory with keelson.json": {
    files: {
      "keelson.json":
        '{ "project": "shop", "env": "prod:eu", "namespace": "web", "main": "src/app.ts" }',
      "package.json": '{ "name": "@acme/shop" }',
      "src/app.ts": program,
    },
    expected: ["shop", "prod:eu", "web", "prod:eu:@acme/shop:src/app:keelson:k8s/Namespace"],
  },
  "the command line wins": {
    files: { "keelson.json": '{ "project": "shop", "env": "prod" }', "main.ts": program },
    options: { env: "test", project: "other" },
    expected: ["other", "test", undefined, "test:other:main:keelson:k8s/Namespace"],
  },
  "a directory with package.json": {
    files: { "package.json": '{ "name": "shop", "main": "app.mjs" }', "app.mjs": program },
    expected: ["shop", "dev", undefined, "dev:shop:app:keelson:k8s/Namespace"],
  },
  "a TypeScript file below its project": {
    files: { "keelson.json": '{ "project": "shop" }', "envs/eu/app.ts": program },
    options: { path: "envs/eu/app.ts" },
    expected: ["shop", "dev", undefined, "dev:shop:envs/eu/app:keelson:k8s/Namespace"],
  },
  "a JavaScript file": {
    files: { "package.json": '{ "name": "shop" }', "app.js": program },
    options: { path: "app.js" },
    expected: ["shop", "dev", undefined, "dev:shop:app:keelson:k8s/Namespace"],
  },
  "an .mts main of a module that imports .js for .ts": {
    files: {
      "package.json": '{ "name": "shop" }',
      "index.mts":
        'import "./parts/names.js";\nimport data from "./data.json" with { type: "json" };\ndata;',
      "parts/names.ts": program,
      "data.json": "{}",
    },
    expected: ["shop", "dev", undefined, "dev:shop:parts/names:keelson:k8s/Namespace"],
  },
};

describe("projects", () => {
  test.for(Object.entries(cases))("%s", async ([, { files, options, expected }]) => {
    await withProgram(files, options ?? {}, ({ evaluation: { graph, diagnostics } }) => {
      expect(diagnostics).toEqual([]);
      const [resource] = graph.resources;
      expect([graph.project, graph.env, graph.namespace, resource?.name]).toEqual(expected);
    });
  });
});

test("packages: read if they declare keelson, else left alone", async () => {
  const files = {
    "package.json": '{ "name": "shop", "type": "module" }',
    "main.ts": `import { k8s } from "keelson";
      import { Shop } from "@acme/parts"; import { join } from "plain"; import old from "old";
      new Shop(); new k8s.ConfigMap("c", { data: { text: join(["a", "b"]), old: old.value } });`,
    "node_modules/@acme/parts/package.json":
      '{ "name": "@acme/parts", "exports": "./src/index.ts", "keelson": {} }',
    "node_modules/@acme/parts/src/index.ts": `import { k8s, Resource } from "keelson"; import { label } from "./label";
      export class Shop extends Resource { constructor() { super(); new k8s.Secret({ metadata: { labels: { label } } }); } }`,
    "node_modules/@acme/parts/src/label.ts": 'export const label: string = "x";',
    "node_modules/plain/package.json": '{ "name": "plain", "type": "module", "main": "p.js" }',
    "node_modules/plain/p.js": 'export const join = (list) => list.join("+");',
    "node_modules/old/package.json": '{ "name": "old", "main": "old.js" }',
    "node_modules/old/old.js":
      'let value = "none"; try { require("optional"); } catch (e) { value = e.code; } module.exports = { value };',
  };
  await withProgram(files, {}, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    expect(graph.resources.map(({ name }) => name)).toEqual([
      "dev:shop:main:@acme/parts:src/index/Shop",
      "dev:@acme/parts:src/index/Shop:keelson:k8s/Secret",
      "dev:shop:main:keelson:k8s/ConfigMap#c",
    ]);
    expect(graph.resources.at(-1)?.inputs).toMatchObject({
      data: { text: "a+b", old: "MODULE_NOT_FOUND" },
    });
    expect(graph.files.map((file) => basename(file)).toSorted()).toEqual([
      "index.ts",
      "label.ts",
      "main.ts",
      "package.json",
      "package.json",
      "package.json",
      "package.json",
    ]);
  });
});

test("a class field without a value erases nothing, in JavaScript too", async () => {
  const files = {
    "package.json": '{ "name": "shop", "keelson": { "provider": "./provider.js" } }',
    "app.mjs": `import { provisioned, Resource } from "keelson";
      class Base extends Resource { arn = provisioned(); }
      class Bucket extends Base { arn; size; constructor() { super({ size: 3 }); } }
      const bucket = new Bucket();
      new Base("copy", { arn: bucket.arn, size: bucket.size });`,
  };
  await withProgram(files, { path: "app.mjs" }, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    expect(graph.resources.at(-1)?.inputs).toMatchObject({
      arn: { text: "(known after apply)" },
      size: 3,
    });
  });
});

test("CommonJS modules", async () => {
  const files = {
    "package.json": '{ "name": "shop" }',
    "app.js": `const { k8s } = require("keelson"); const { color } = require("./color.cjs");
      class Shop { constructor() { new k8s.ConfigMap("a", { data: { color } }); } }
      new Shop();`,
    "color.cjs": 'exports.color = "red";',
  };
  await withProgram(
    { ...files, "app.js": `${files["app.js"]} exports.color = "red";` },
    { path: "app.js" },
    ({ evaluation: { graph } }) => {
      const name = "dev:shop:keelson:k8s/Secret#outputs";
      expect(graph.resources.find((each) => each.name === name)?.inputs).toMatchObject({
        data: { color: Buffer.from('"red"').toString("base64") },
      });
    },
  );
  await withProgram(files, { path: "app.js" }, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    expect(graph.resources.map(({ name }) => name)).toEqual([
      "dev:shop:app/Shop:keelson:k8s/ConfigMap#a",
    ]);
    expect(graph.resources[0]?.inputs).toMatchObject({ data: { color: "red" } });
  });
});
