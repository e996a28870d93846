import { describe, expect, test } from "vitest";
import { programText } from "./program-world.ts";

const header = 'import { k8s, output, provisioned, Resource } from "keelson";\n';

describe("programs that fail", () => {
  test("an error that it throws, with the place and the callers", async () => {
    expect(
      await programText(`${header}
function read(text: string): string {
  const value: { x?: { y: string } } = JSON.parse(text);
  return value.x!.y;
}
new k8s.ConfigMap("a", { data: { y: read("{}") } });
`),
    ).toMatchInlineSnapshot(`
      "error[program.threw]: The program threw TypeError: Cannot read properties of undefined (reading 'y')
        at main.ts:5:19
          3 | function read(text: string): string {
          4 |   const value: { x?: { y: string } } = JSON.parse(text);
        > 5 |   return value.x!.y;
            |                   ^
          6 | }
          7 | new k8s.ConfigMap("a", { data: { y: read("{}") } });
        called at main.ts:7:37"
    `);
  });

  test("a value that it throws", async () => {
    expect(await programText(`throw { code: 3 };`)).toMatchInlineSnapshot(`
      "error[program.threw]: The program threw { code: 3 }
        hint: Throw an Error, which knows where it was made"
    `);
  });

  test("what led to an error", async () => {
    expect(
      await programText(`const cause: Error = new TypeError("no file");
cause.cause = cause;
throw new AggregateError([new Error("one"), 2n], "all failed", { cause });
`),
    ).toMatchInlineSnapshot(`
      "error[program.threw]: The program threw AggregateError: all failed
        at main.ts:3:7
          1 | const cause: Error = new TypeError("no file");
          2 | cause.cause = cause;
        > 3 | throw new AggregateError([new Error("one"), 2n], "all failed", { cause });
            |       ^
          4 |
        because of Error: one at main.ts:3:27
        because of 2n
        because of TypeError: no file at main.ts:1:22"
    `);
  });

  test("values that are no JSON", async () => {
    const ring = await programText("const ring: any = {}; ring.self = ring; throw ring;");
    expect(ring).toContain("The program threw <ref *1> { self: [Circular *1] }");
    expect(await programText("throw 10n;")).toContain("The program threw 10n");
  });

  test("a promise that nobody awaits", async () => {
    expect(
      await programText(
        `import { readFile } from "node:fs/promises";\nvoid readFile("/nowhere/at/all");\n`,
      ),
    ).toMatchInlineSnapshot(
      `"error[program.threw]: The program threw Error: ENOENT: no such file or directory, open '/nowhere/at/all'"`,
    );
  });

  test("a syntax error", async () => {
    expect(
      await programText(`${header}new k8s.ConfigMap({ data: { a: } });\n`),
    ).toMatchInlineSnapshot(
      `
      "error[program.syntax]: main.ts cannot be read: Unexpected token
        at main.ts:2:32
          1 | import { k8s, output, provisioned, Resource } from "keelson";
        > 2 | new k8s.ConfigMap({ data: { a: } });
            |                                ^
          3 |"
    `,
    );
  });

  // The text of such a module is empty when its types are taken out; nothing may be deleted for it.
  test("a name that is declared twice", async () => {
    expect(await programText(`${header}const a = 1;\nnew k8s.ConfigMap("a", {});\nconst a = 2;\n`))
      .toMatchInlineSnapshot(`
      "error[program.syntax]: main.ts cannot be read: Identifier \`a\` has already been declared
        at main.ts:4:7
          2 | const a = 1;
          3 | new k8s.ConfigMap("a", {});
        > 4 | const a = 2;
            |       ^
          5 |"
    `);
    expect(await programText(`type A = 1;\ntype A = 2;\n`)).toContain("has already been declared");
  });

  test("syntax that has to be compiled", async () => {
    expect(await programText(`const log = (): void => {};\nclass A { @log m() {} }\n`))
      .toMatchInlineSnapshot(`
      "error[program.syntax]: main.ts cannot be read: Decorators are not part of JavaScript yet
        at main.ts:2:11
          1 | const log = (): void => {};
        > 2 | class A { @log m() {} }
            |           ^^^^
          3 |
        hint: Programs run without a build step: write it without them"
    `);
    expect(await programText(`class A {\n  accessor x = 1;\n}\n`)).toContain(
      "Accessor fields are not part of JavaScript yet\n  at main.ts:2:3",
    );
  });

  test("an import of a file that is not there", async () => {
    expect(await programText(`import { x } from "./helpers";\nx();\n`)).toMatchInlineSnapshot(
      `
      "error[program.module-missing]: The program imports "./helpers", which is not there
        at main.ts:1:19
        > 1 | import { x } from "./helpers";
            |                   ^^^^^^^^^^^
          2 | x();
          3 |
        hint: Correct the path; it is relative to the module with the import"
    `,
    );
  });

  test("an import of a package that is not there", async () => {
    expect(await programText(`import "left-pad";\n`)).toMatchInlineSnapshot(
      `
      "error[program.module-missing]: The program imports "left-pad", which is not there
        at main.ts:1:8
        > 1 | import "left-pad";
            |        ^^^^^^^^^^
          2 |
        Cannot find package 'left-pad' imported from main.ts
        hint: Install the package: npm install left-pad"
    `,
    );
  });

  test("an import of a name that is not there", async () => {
    expect(await programText(`import { k8 } from "keelson";\nk8;\n`)).toMatchInlineSnapshot(
      `
      "error[program.module-missing]: The program imports k8 from "keelson", which does not export it
        at main.ts:1:20
        > 1 | import { k8 } from "keelson";
            |                    ^^^^^^^^^
          2 | k8;
          3 |
        hint: Correct the name, or export it from "keelson""
    `,
    );
  });

  test("an endless loop", async () => {
    expect(await programText(`for (;;) {}`, { timeoutMs: 1000 })).toMatchInlineSnapshot(`
      "error[program.timeout]: The program main.ts was still running after 1 seconds
        hint: Look for an endless loop, or a server or timer that it leaves open"
    `);
  });

  test("an interval that stays", async () => {
    expect(await programText(`setInterval(() => {}, 1000);`, { timeoutMs: 1000 }))
      .toMatchInlineSnapshot(`
      "error[program.timeout]: The program main.ts was still running after 1 seconds
        hint: Look for an endless loop, or a server or timer that it leaves open"
    `);
  });

  test("an interruption", async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await programText(`for (;;) {}`, { signal: controller.signal })).toMatchInlineSnapshot(
      `"error[program.stopped]: The evaluation of main.ts was interrupted"`,
    );
  });

  test("more memory than there is", async () => {
    const program = `const all = []; for (;;) all.push(new Array(100_000).fill(all.length));`;
    expect(await programText(program, { memoryMb: 32 })).toMatchInlineSnapshot(`
      "error[program.unfinished]: The program main.ts used up its memory
        hint: Look for a loop that keeps what it makes"
    `);
  });

  test("process.exit", async () => {
    expect(await programText(`process.exit(0);`)).toMatchInlineSnapshot(`
      "error[program.unfinished]: The program main.ts ended itself before it was evaluated
        hint: Let it not end the process; a program is over when nothing is left to run"
    `);
  });

  test("an await that never ends", async () => {
    expect(await programText(`await new Promise(() => {});`)).toMatchInlineSnapshot(`
      "error[program.unfinished]: The program awaits something that never comes
        main.ts has nothing left to run, and its top-level await is not settled.
        hint: Look for a promise that nobody resolves"
    `);
  });
});

describe("resources that cannot be", () => {
  test("wrong ids, properties and options", async () => {
    expect(
      await programText(`${header}
new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
`),
    ).toMatchInlineSnapshot(`
      "error[program.bad-arguments]: Service cannot be allocated: the id "a b" is not usable: it has " "; letters, digits, ".", "_" and "-" are allowed
        at main.ts:3:1
          1 | import { k8s, output, provisioned, Resource } from "keelson";
          2 |
        > 3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
            | ^
          4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: there is no option "dependOn"; did you mean "dependsOn"?
        at main.ts:3:1
          1 | import { k8s, output, provisioned, Resource } from "keelson";
          2 |
        > 3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
            | ^
          4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: the option "protect" must be true or false
        at main.ts:3:1
          1 | import { k8s, output, provisioned, Resource } from "keelson";
          2 |
        > 3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
            | ^
          4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: the properties must be an object, not a list
        at main.ts:4:1
          2 |
          3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
        > 4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
            | ^
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: the option "timeouts" must be durations such as { create: "30s", update: "5m", delete: "1h" }
        at main.ts:4:1
          2 |
          3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
        > 4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
            | ^
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: the option "dependsOn" must be a resource or a list of resources
        at main.ts:4:1
          2 |
          3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
        > 4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
            | ^
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)
      error[program.bad-arguments]: Service cannot be allocated: the option "naming" is for ConfigMaps and Secrets
        at main.ts:4:1
          2 |
          3 | new k8s.Service("a b", {}, { dependOn: [], protect: "yes" } as never);
        > 4 | new k8s.Service("b", [] as never, { timeouts: { create: "soon" }, naming: "random", dependsOn: ["a"] as never });
            | ^
          5 |
        hint: A resource takes (properties, options) or (id, properties, options)"
    `);
  });

  test("values that are no data", async () => {
    expect(
      await programText(`${header}
const other = new k8s.Namespace("n", {});
const ring: { self?: unknown } = {};
ring.self = ring;
new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
`),
    ).toMatchInlineSnapshot(`
      "error[program.bad-value]: The property data.f of ConfigMap "a" is a function, which is no data
        at main.ts:6:1
          4 | const ring: { self?: unknown } = {};
          5 | ring.self = ring;
        > 6 | new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
            | ^
          7 |
        hint: Properties are text, numbers, booleans, lists and objects, and properties of other resources
      error[program.bad-value]: The property data.n of ConfigMap "a" is NaN, which is no data
        at main.ts:6:1
          4 | const ring: { self?: unknown } = {};
          5 | ring.self = ring;
        > 6 | new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
            | ^
          7 |
        hint: Properties are text, numbers, booleans, lists and objects, and properties of other resources
      error[program.bad-value]: The property data.s of ConfigMap "a" is a Set, which is no data
        at main.ts:6:1
          4 | const ring: { self?: unknown } = {};
          5 | ring.self = ring;
        > 6 | new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
            | ^
          7 |
        hint: Properties are text, numbers, booleans, lists and objects, and properties of other resources
      error[program.bad-value]: The property data.other of ConfigMap "a" is a whole resource, which is no data
        at main.ts:6:1
          4 | const ring: { self?: unknown } = {};
          5 | ring.self = ring;
        > 6 | new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
            | ^
          7 |
        hint: Properties are text, numbers, booleans, lists and objects, and properties of other resources
      error[program.bad-value]: The property data.ring.self of ConfigMap "a" holds itself, which is no data
        at main.ts:6:1
          4 | const ring: { self?: unknown } = {};
          5 | ring.self = ring;
        > 6 | new k8s.ConfigMap("a", { data: { f: () => 1, n: NaN, s: new Set(), other, ring } } as never);
            | ^
          7 |
        hint: Properties are text, numbers, booleans, lists and objects, and properties of other resources"
    `);
  });

  test("a global id that is not known while planning, and one that is taken", async () => {
    expect(
      await programText(`${header}
class Bucket extends Resource { static globalId = "name"; constructor(name: string) { super({ name }); } }
const config = new k8s.ConfigMap({});
new Bucket(config.metadata.name);
new Bucket("x");
new Bucket("x");
`),
    ).toMatchInlineSnapshot(`
      "error[program.global-id]: The property name of Bucket names the resource, so it must be a text that is known while planning
        at main.ts:5:1
          3 | class Bucket extends Resource { static globalId = "name"; constructor(name: string) { super({ name }); } }
          4 | const config = new k8s.ConfigMap({});
        > 5 | new Bucket(config.metadata.name);
            | ^
          6 | new Bucket("x");
          7 | new Bucket("x");
        hint: Set name to a text that does not come from another resource
      error[program.duplicate-name]: Two resources have the name dev#x
        at main.ts:7:1
          5 | new Bucket(config.metadata.name);
          6 | new Bucket("x");
        > 7 | new Bucket("x");
            | ^
          8 |
        The other one is allocated at main.ts:6:1.
        hint: Give each its own global id"
    `);
  });

  test("two resources that were called the same", async () => {
    expect(
      await programText(`${header}
new k8s.ConfigMap("a", {}, { aliases: ["#old", "#old"] });
new k8s.ConfigMap("b", {}, { aliases: ["#old"] });
new k8s.Secret("c", {}, { aliases: ["#old"] });
`),
    ).toMatchInlineSnapshot(`
      "error[program.duplicate-alias]: Two resources say that they were called dev:shop:main:keelson:k8s/ConfigMap#old: ConfigMap "a" and ConfigMap "b"
        at main.ts:4:1
          2 |
          3 | new k8s.ConfigMap("a", {}, { aliases: ["#old", "#old"] });
        > 4 | new k8s.ConfigMap("b", {}, { aliases: ["#old"] });
            | ^
          5 | new k8s.Secret("c", {}, { aliases: ["#old"] });
          6 |
        ConfigMap "a" says so at main.ts:3:1.
        hint: Leave the alias to the one that goes on with what exists"
    `);
  });

  test("properties that no provider fills in", async () => {
    expect(
      await programText(`${header}
class Bucket extends Resource { readonly arn: string = provisioned(); readonly region: string = provisioned(); }
new Bucket();
`),
    ).toMatchInlineSnapshot(`
      "error[program.provider-missing]: Bucket has properties that a provider fills in, but the package shop has no provider
        at main.ts:4:1
          2 |
          3 | class Bucket extends Resource { readonly arn: string = provisioned(); readonly region: string = provisioned(); }
        > 4 | new Bucket();
            | ^
          5 |
        "keelson": { "provider": … } was looked for in package.json.
        hint: Declare it there: "keelson": { "provider": "./provider.js" }"
    `);
  });

  test("an allocation by a package that does not declare keelson", async () => {
    expect(
      await programText({
        "main.ts": `import { make } from "parts";\nmake();\n`,
        "node_modules/parts/package.json":
          '{ "name": "parts", "type": "module", "exports": "./parts.js" }',
        "node_modules/parts/parts.js": `${header}export const make = () => new k8s.ConfigMap({});`,
      }),
    ).toMatchInlineSnapshot(`
      "error[program.unknown-place]: ConfigMap is allocated by code that Keelson does not read, so it has no name
        at main.ts:2:1
          1 | import { make } from "parts";
        > 2 | make();
            | ^
          3 |
        Only the modules of the project, and packages that declare keelson, are read.
        hint: Add "keelson": {} to the package.json of the package that allocates it or defines its class"
    `);
  });

  test("a decision on a value that is not known, even when it is caught", async () => {
    expect(
      await programText(`${header}
const config = new k8s.ConfigMap("a", {});
try {
  if (config.metadata.uid === "1") new k8s.Secret("b", {});
} catch {
  new k8s.Secret("c", {});
}
`),
    ).toMatchInlineSnapshot(`
      "error[program.provisioned-decision]: ConfigMap "a".metadata.uid is not known before it is applied, and here it is compared
        at main.ts:5:7
          3 | const config = new k8s.ConfigMap("a", {});
          4 | try {
        > 5 |   if (config.metadata.uid === "1") new k8s.Secret("b", {});
            |       ^^^^^^^^^^^^^^^^^^^
          6 | } catch {
          7 |   new k8s.Secret("c", {});
        A plan must be the same whatever the value turns out to be, so the program cannot depend on it.
        hint: compute from it when it is known: output(config.metadata.uid).map((value) => …)
              or plan in stages, if it decides which resources there are: --allow-provisioned-conditions"
    `);
  });
});

describe("projects that cannot be", () => {
  test("a path that is not there", async () => {
    expect(await programText("", { path: "nowhere.ts" })).toMatchInlineSnapshot(`
      "error[program.missing]: There is no program at nowhere.ts
        hint: Name a .ts, .js or .mjs file, or a directory with keelson.json or package.json"
    `);
  });

  test("a directory without a program", async () => {
    expect(await programText({ "other.txt": "" })).toMatchInlineSnapshot(`
      "error[program.missing]: There is no program in : no main.ts, index.ts or the like
        hint: Write main.ts, or name the program in keelson.json: { "main": "src/shop.ts" }"
    `);
  });

  test("no name of the project", async () => {
    expect(await programText({ "package.json": '{ "type": "module" }', "main.ts": "" }))
      .toMatchInlineSnapshot(`
      "error[program.project]: The program  has no project name
        The name comes from keelson.json, else from package.json, beside the program or above it.
        hint: Write a keelson.json beside it: { "project": "shop" }"
    `);
  });

  test("settings that are no JSON", async () => {
    expect(await programText({ "keelson.json": "{ project: shop }", "main.ts": "" }))
      .toMatchInlineSnapshot(`
      "error[program.project]: keelson.json cannot be read: Expected property name or '}' in JSON at position 2 (line 1 column 3)
        hint: Correct the JSON of the file"
    `);
  });

  test("settings of the wrong type", async () => {
    expect(await programText({ "keelson.json": '{ "project": 3 }', "main.ts": "" }))
      .toMatchInlineSnapshot(`
      "error[program.project]: "project" in keelson.json must be a text that is not empty
        hint: Write for example { "project": "shop" }"
    `);
  });

  test("a main that is not there", async () => {
    expect(await programText({ "keelson.json": '{ "project": "shop", "main": "shop.ts" }' }))
      .toMatchInlineSnapshot(`
      "error[program.missing]: keelson.json names the program shop.ts, which is not there
        hint: Write main.ts, or name the program in keelson.json: { "main": "src/shop.ts" }"
    `);
  });

  test("an environment that cannot be part of names", async () => {
    expect(await programText("", { env: "a:b:c" })).toMatchInlineSnapshot(`
      "error[program.environment]: The environment "a:b:c" cannot be part of names
        It is one name, or two with ":" between them, of letters, digits, "-", "_" and ".".
        hint: Use for example --env staging or --env staging:acmecorp"
    `);
  });
});
