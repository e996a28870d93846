import { describe, expect, test } from "vitest";
import { shortEdges, programText } from "./program-world.ts";

const header = `
  import { k8s, local, output, provisioned, Resource, when } from "keelson";
  class Part extends Resource { constructor(id: string, props: object = {}, options?: object) { super(id, props, options); } }
`;

/** A program, and its edges by the ids of resources. */
const cases: Readonly<Record<string, readonly [code: string, edges: readonly string[]]>> = {
  "a resource stored in the properties": [
    'const a = new Part("a"); new Part("b", { a });',
    ["b → a: a refers to it"],
  ],
  "a resource anywhere in them": [
    'const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => new Part(id)); new Part("e", { x: [{ a }, new Map([["k", b]]), new Set([c])], y: { z: [[d]] } });',
    [
      "e → a: x.0.a refers to it",
      "e → b: x.1.k refers to it",
      "e → c: x.2.item refers to it",
      "e → d: y.z.0.0 refers to it",
    ],
  ],
  "a property that the provider fills in": [
    'const a = new k8s.ConfigMap("a", {}); new k8s.Secret("b", { stringData: { uid: a.metadata.uid } });',
    ["b → a: stringData.uid uses its metadata.uid"],
  ],
  "text and values computed from several": [
    'const [a, b, c] = ["a", "b", "c"].map((id) => new k8s.ConfigMap(id, {})); new k8s.Secret("d", { stringData: { x: `${a.metadata.uid}-${b.metadata.uid}`, y: output(c.metadata.uid).map((uid) => uid.length), z: when(a.metadata.uid, "1", "2") } });',
    [
      "d → a: stringData.x uses its metadata.uid",
      "d → b: stringData.x uses its metadata.uid",
      "d → c: stringData.y uses its metadata.uid",
    ],
  ],
  "values that are awaited, alone and together": [
    'const [a, b, c] = ["a", "b", "c"].map((id) => new k8s.ConfigMap(id, {})); const later = async () => b.metadata.uid; const [x, y] = await Promise.all([a.metadata.uid, later()]); const z = await Promise.race([c.metadata.uid]); new k8s.Secret("d", { stringData: { x, y, z } });',
    [
      "d → a: stringData.x uses its metadata.uid",
      "d → b: stringData.y uses its metadata.uid",
      "d → c: stringData.z uses its metadata.uid",
    ],
  ],
  "a part of an object that the program set": [
    'const a = new k8s.ConfigMap("a", { metadata: { labels: { app: "x" } } }); new k8s.Secret("b", { metadata: { labels: a.metadata.labels } });',
    ["b → a: metadata.labels uses its metadata.labels"],
  ],
  "a name that the program set itself": [
    'const a = new k8s.ConfigMap("a", { metadata: { name: "settings" } }); new k8s.ServiceAccount("b", { imagePullSecrets: [{ name: a.metadata.name }] }); new k8s.Secret("c", { stringData: { x: "settings" } });',
    [
      "b → a: imagePullSecrets.0.name uses its metadata.name",
      "c → a: stringData.x uses its metadata.name",
    ],
  ],
  "no name that the program never read": [
    'new k8s.ConfigMap("a", { metadata: { name: "settings" } }); new k8s.Secret("c", { stringData: { x: "settings" } });',
    [],
  ],
  "dependsOn, of one and of several": [
    'const a = new Part("a"); const b = new Part("b", {}, { dependsOn: a }); new Part("c", {}, { dependsOn: [a, b] });',
    ["b → a: dependsOn", "c → a: dependsOn", "c → b: dependsOn"],
  ],
  "allocation, also through functions": [
    'const make = (id: string) => new Part(id); class Shop extends Resource { constructor() { super("shop", {}); make("a"); this.later(); } later() { make("b"); } } new Shop().later === undefined;',
    ["shop → a: allocates it", "shop → b: allocates it"],
  ],
  "what allocates, and what that allocates": [
    'class Inner extends Resource { constructor() { super("inner", {}); new Part("a"); } } class Outer extends Resource { constructor() { super("outer", {}); new Inner(); } } new Outer();',
    ["outer → inner: allocates it", "inner → a: allocates it"],
  ],
  "the allocation gives way where the allocated refers back": [
    'class Shop extends Resource { readonly child: Part; constructor() { super("shop", {}); this.child = new Part("a", { owner: this }); new Part("b"); } } new Shop();',
    ["shop → b: allocates it", "a → shop: owner refers to it"],
  ],
  "also where it refers back through another": [
    'class Shop extends Resource { constructor() { super("shop", {}); const a = new Part("a", { owner: this }); new Part("b", { a }); } } new Shop();',
    ["a → shop: owner refers to it", "b → a: a refers to it"],
  ],
  "a field that the constructor sets": [
    'const a = new Part("a"); class Shop extends Resource { readonly uses: Part; constructor() { super("shop", {}); this.uses = a; } } new Shop();',
    ["shop → a: uses refers to it"],
  ],
  "a provider's property of a shipped resource": [
    'const a = new local.Command("a", { create: "date" }); new local.File("b", { path: "x", content: a.stdout });',
    ["b → a: content uses its stdout"],
  ],
  "a change of the properties after the allocation is none": [
    'const a = new Part("a"); const props: { a?: Part } = {}; new Part("b", props); props.a = a;',
    [],
  ],
};

describe("edges", () => {
  test.for(Object.entries(cases))("%s", async ([, [code, edges]]) => {
    expect(await shortEdges(header + code)).toEqual(edges);
  });
});

test("a cycle of explicit edges is an error that shows it", async () => {
  const text = await programText(
    `import { Resource } from "keelson";
class Part extends Resource {}
const needs: Part[] = [];
const a = new Part("a", {}, { dependsOn: needs });
needs.push(new Part("b", { a }));
`,
  );
  expect(text).toMatchInlineSnapshot(`
    "error[program.dependency-cycle]: The resources of the program wait for each other: Part "a" → Part "b" → Part "a"
      at main.ts:4:11
        2 | class Part extends Resource {}
        3 | const needs: Part[] = [];
      > 4 | const a = new Part("a", {}, { dependsOn: needs });
          |           ^
        5 | needs.push(new Part("b", { a }));
        6 |
      Part "a" waits for Part "b": dependsOn
      Part "b" waits for Part "a": a refers to it
      hint: Remove one of these references or dependsOn"
  `);
});
