import { describe, expect, test } from "vitest";
import { programNames, programText } from "./program-world.ts";
import type { ProgramFiles } from "./program-world.ts";
import type { EvaluateOptions } from "../../src/sources/program/index.ts";

const header = 'import { k8s, Resource } from "keelson";\n';

interface NameCase {
  readonly files: ProgramFiles;
  readonly options?: Partial<EvaluateOptions>;
  readonly names: readonly string[];
}

const cases: Readonly<Record<string, NameCase>> = {
  "<ENV>:<MODULE>:<RESOURCE>": {
    files: `${header} new k8s.ConfigMap({});`,
    names: ["dev:shop:main:keelson:k8s/ConfigMap"],
  },
  "<ENV>:<MODULE>:<RESOURCE>#ID": {
    files: `${header} new k8s.ConfigMap("a", {}); new k8s.ConfigMap("b", {});`,
    names: ["dev:shop:main:keelson:k8s/ConfigMap#a", "dev:shop:main:keelson:k8s/ConfigMap#b"],
  },
  "<ENV>:<MODULE>/<CLASS>:<RESOURCE>, in a constructor, a method and a static method": {
    files: `${header}
      class Shop extends Resource {
        constructor() { super(); new k8s.ConfigMap({}); }
        add() { return new k8s.Secret({}); }
        static make() { return new k8s.Service({}); }
      }
      new Shop().add();
      Shop.make();
      class Plain { constructor() { new k8s.Pod({}); } }
      new Plain();`,
    names: [
      "dev:shop:main:shop:main/Shop",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap",
      "dev:shop:main/Shop:keelson:k8s/Secret",
      "dev:shop:main/Shop:keelson:k8s/Service",
      "dev:shop:main/Plain:keelson:k8s/Pod",
    ],
  },
  "<ENV>:<MODULE>/<CLASS>:<RESOURCE>#ID": {
    files: `${header}
      class Shop extends Resource { constructor() { super(); new k8s.ConfigMap("a", {}); } }
      new Shop();`,
    names: ["dev:shop:main:shop:main/Shop", "dev:shop:main/Shop:keelson:k8s/ConfigMap#a"],
  },
  "<ENV>#GID, and the global id goes before those of what it allocates": {
    files: `${header}
      class Bucket extends Resource {
        static globalId = "bucketName";
        constructor(props: { bucketName?: string }) { super(props); new k8s.ConfigMap("a", {}); }
      }
      new Bucket({ bucketName: "acme-logs" });
      new Bucket({});`,
    names: [
      "dev#acme-logs",
      "dev:shop:main/Bucket:keelson:k8s/ConfigMap#acme-logs/a",
      "dev:shop:main:shop:main/Bucket",
      "dev:shop:main/Bucket:keelson:k8s/ConfigMap#a",
    ],
  },
  "an environment with a namespace": {
    files: `${header} new k8s.ConfigMap({});`,
    options: { env: "staging:acmecorp" },
    names: ["staging:acmecorp:shop:main:keelson:k8s/ConfigMap"],
  },
  "the environment of keelson.json": {
    files: {
      "keelson.json": '{ "project": "shop", "env": "prod" }',
      "main.ts": `${header} new k8s.ConfigMap({});`,
    },
    names: ["prod:shop:main:keelson:k8s/ConfigMap"],
  },
  "modules of folders and of packages": {
    files: {
      "package.json": '{ "name": "mu/x" }',
      "main.ts": 'import "./cluster/utils"; import "parts";',
      "cluster/utils.ts": `${header} new k8s.ConfigMap({});`,
      "node_modules/parts/package.json":
        '{ "name": "parts", "type": "module", "exports": "./lib/all.ts", "keelson": {} }',
      "node_modules/parts/lib/all.ts": `${header} new k8s.ConfigMap({});`,
    },
    names: [
      "dev:mu/x:cluster/utils:keelson:k8s/ConfigMap",
      "dev:parts:lib/all:keelson:k8s/ConfigMap",
    ],
  },
  "module and class are where the `new` stands, not where it is called from": {
    files: {
      "main.ts": `${header} import { make } from "./make";
        class Shop extends Resource { constructor() { super(); make(); } }
        new Shop();`,
      "make.ts": `${header} export const make = () => new k8s.ConfigMap({});`,
    },
    names: ["dev:shop:main:shop:main/Shop", "dev:shop:make:keelson:k8s/ConfigMap"],
  },
  "automatic numbers from the second one on": {
    files: `${header} for (const _ of [1, 2, 3]) new k8s.ConfigMap({}); new k8s.Secret({});`,
    names: [
      "dev:shop:main:keelson:k8s/ConfigMap",
      "dev:shop:main:keelson:k8s/ConfigMap#2",
      "dev:shop:main:keelson:k8s/ConfigMap#3",
      "dev:shop:main:keelson:k8s/Secret",
    ],
  },
  "an automatic number goes around a number that was given": {
    files: `${header} new k8s.Pod("2", {} as never); new k8s.Pod({} as never); new k8s.Pod({} as never);`,
    names: [
      "dev:shop:main:keelson:k8s/Pod#2",
      "dev:shop:main:keelson:k8s/Pod",
      "dev:shop:main:keelson:k8s/Pod#3",
    ],
  },
  "ids inside an instance with an id": {
    files: `${header}
      class Shop extends Resource {
        constructor(id?: string) {
          super(id, {});
          new k8s.ConfigMap("api", {});
          new k8s.Secret({});
          new k8s.Secret({});
        }
      }
      new Shop(); new Shop(); new Shop("eu");`,
    names: [
      "dev:shop:main:shop:main/Shop",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#api",
      "dev:shop:main/Shop:keelson:k8s/Secret",
      "dev:shop:main/Shop:keelson:k8s/Secret#2",
      "dev:shop:main:shop:main/Shop#2",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#2/api",
      "dev:shop:main/Shop:keelson:k8s/Secret#2/1",
      "dev:shop:main/Shop:keelson:k8s/Secret#2/2",
      "dev:shop:main:shop:main/Shop#eu",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#eu/api",
      "dev:shop:main/Shop:keelson:k8s/Secret#eu",
      "dev:shop:main/Shop:keelson:k8s/Secret#eu/2",
    ],
  },
  "instances inside instances, and methods that are called later": {
    files: `${header}
      class Shop extends Resource {
        constructor() { super(); new k8s.ConfigMap("api", {}); }
        add(name: string) { return new k8s.Secret(name, {}); }
      }
      class Region extends Resource {
        readonly shop: Shop;
        constructor(id: string) { super(id, {}); this.shop = new Shop(); }
      }
      const regions = [new Region("eu"), new Region("us")];
      for (const region of regions) region.shop.add("token");`,
    names: [
      "dev:shop:main:shop:main/Region#eu",
      "dev:shop:main/Region:shop:main/Shop#eu",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#eu/api",
      "dev:shop:main:shop:main/Region#us",
      "dev:shop:main/Region:shop:main/Shop#us",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#us/api",
      "dev:shop:main/Shop:keelson:k8s/Secret#eu/token",
      "dev:shop:main/Shop:keelson:k8s/Secret#us/token",
    ],
  },
  "asynchronous code of a constructor belongs to its instance": {
    files: `${header}
      class Shop extends Resource {
        readonly ready: Promise<void>;
        constructor(id: string) {
          super(id, {});
          this.ready = (async () => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            new k8s.ConfigMap("late", {});
          })();
        }
      }
      new Shop("a");
      await new Shop("b").ready;`,
    names: [
      "dev:shop:main:shop:main/Shop#a",
      "dev:shop:main:shop:main/Shop#b",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#a/late",
      "dev:shop:main/Shop:keelson:k8s/ConfigMap#b/late",
    ],
  },
  "the type token of a class of another module, of a variable, and of custom kinds": {
    files: {
      "main.ts": `${header} import { Base } from "./base";
        const Made = class extends Base {};
        class Api extends k8s.Deployment {}
        new Base(); new Made(); new Api({} as never);
        const mixin = (Parent: typeof Base) => class extends Parent {};
        new (mixin(Base))();
        new (k8s.kind("example.com/v1", "Widget"))({});
        new (k8s.kind("example.com/v2", "Gadget"))({});
        new (k8s.kind("autoscaling/v1", "HorizontalPodAutoscaler"))({});`,
      "base.ts": `${header} export class Base extends Resource {}`,
    },
    names: [
      "dev:shop:main:shop:base/Base",
      "dev:shop:main:shop:main/Made",
      "dev:shop:main:shop:main/Api",
      "dev:shop:main:shop:main/class",
      "dev:shop:main:keelson:k8s/example.com/Widget",
      "dev:shop:main:keelson:k8s/example.com/Gadget",
      "dev:shop:main:keelson:k8s/HorizontalPodAutoscaler",
    ],
  },
};

describe("names", () => {
  test.for(Object.entries(cases))("%s", async ([, { files, options, names }]) => {
    expect(await programNames(files, options)).toEqual(names);
  });
});

const wait = "const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));\n";

/** Asynchronous code, and whether unnamed allocations in it have a stable order. */
const orders: Readonly<Record<string, readonly [code: string, isOrdered: boolean]>> = {
  "one after the other": ["await make(2); await make(1);", true],
  "joined, each with its own id": [
    'await Promise.all(["a", "b"].map(async (id) => { await wait(1); new k8s.ConfigMap(id, {}); }));',
    true,
  ],
  "joined, before the first await": [
    "const start = async () => { new k8s.ConfigMap({}); await wait(1); }; await Promise.all([start(), start()]);",
    true,
  ],
  "after a join of one that allocates and one that does not": [
    "await Promise.all([make(1), wait(5)]); new k8s.ConfigMap({});",
    true,
  ],
  "after a join of settled ones": [
    "await Promise.allSettled([make(5), wait(1)]); new k8s.ConfigMap({});",
    true,
  ],
  "in a loop with an await": ["for (const ms of [3, 2, 1]) await make(ms);", true],
  "in an asynchronous iteration": [
    "async function* list() { yield 1; await wait(1); yield 2; } for await (const _ of list()) new k8s.ConfigMap({});",
    true,
  ],
  "then after then": [
    "await wait(1).then(() => { new k8s.ConfigMap({}); }).then(() => { new k8s.ConfigMap({}); });",
    true,
  ],
  "joined, after an await": ["await Promise.all([make(2), make(1)]);", false],
  "started and awaited later": ["const first = make(2); await make(1); await first;", false],
  "nobody awaits them": ["void make(1); void make(2);", false],
  "in a timer": ["new k8s.ConfigMap({}); setTimeout(() => { new k8s.ConfigMap({}); }, 1);", false],
};

describe("unnamed allocations in asynchronous code", () => {
  test.for(Object.entries(orders))("%s", async ([, [code, isOrdered]]) => {
    const make = "const make = async (ms: number) => { await wait(ms); new k8s.ConfigMap({}); };\n";
    const text = await programText(`${header}${wait}${make}${code}`);
    expect(text.includes("program.unordered-allocation"), text).toBe(!isOrdered);
  });
});

test("a plan that relies on automatic numbers says so once, with ids", async () => {
  const text = await programText(
    `${header}new k8s.Service({});\nnew k8s.Service({ metadata: { name: "Api" } });\nnew k8s.Service({});\n`,
  );
  expect(text.slice(text.indexOf("warning"))).toMatchInlineSnapshot(`
    "warning[program.automatic-number]: 2 names rest on the order of allocation: allocating another before would change it
      at main.ts:3:1
        1 | import { k8s, Resource } from "keelson";
        2 | new k8s.Service({});
      > 3 | new k8s.Service({ metadata: { name: "Api" } });
          | ^
        4 | new k8s.Service({});
        5 |
      dev:shop:main:keelson:k8s/Service#2: new …("api", …) at main.ts:3:1
      dev:shop:main:keelson:k8s/Service#3: new …("service-3", …) at main.ts:4:1
      hint: Give these resources ids, as the first argument"
  `);
});

test("two equal ids in one scope", async () => {
  const text = await programText(
    `${header}new k8s.Secret("a", {});\nnew k8s.ConfigMap("a", {});\nnew k8s.Secret("a", {});\n`,
  );
  expect(text).toMatchInlineSnapshot(`
    "error[program.duplicate-name]: Two resources have the name dev:shop:main:keelson:k8s/Secret#a
      at main.ts:4:1
        2 | new k8s.Secret("a", {});
        3 | new k8s.ConfigMap("a", {});
      > 4 | new k8s.Secret("a", {});
          | ^
        5 |
      The other one is allocated at main.ts:2:1.
      hint: Give each its own id as the first argument"
  `);
});
