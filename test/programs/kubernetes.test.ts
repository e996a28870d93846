import { describe, expect, test } from "vitest";
import { programText, withProgram } from "./program-world.ts";
import { builtinResources } from "../../src/schema/index.ts";
import { k8s } from "../../src/resources/index.ts";

const header = 'import { k8s, Resource } from "keelson";\n';

async function objectNames(code: string): Promise<readonly unknown[]> {
  return withProgram(header + code, {}, ({ evaluation: { graph, diagnostics } }) => {
    expect(diagnostics).toEqual([]);
    return graph.resources
      .filter(({ kind }) => kind === "kubernetes")
      .map(({ inputs, objectName }) => {
        const { metadata } = inputs as { metadata: { name?: string; generateName?: string } };
        return `${metadata.name}${objectName?.isGenerated === true ? " generated" : ""} ${objectName?.naming}`;
      });
  });
}

const nameCases: Readonly<Record<string, readonly [code: string, names: readonly string[]]>> = {
  "the program's own": ['new k8s.Pod({ metadata: { name: "own" } } as never);', ["own fixed"]],
  "after the id": ['new k8s.Service("myApi", {});', ["my-api generated fixed"]],
  "after the ids of the instances around, numbers last": [
    'class Shop extends Resource { constructor(id?: string) { super(id, {}); new k8s.Service("api", {}); } } new Shop(); new Shop(); new Shop("eu");',
    ["api generated fixed", "api-2 generated fixed", "eu-api generated fixed"],
  ],
  "after scope and kind, with a hash of the name": [
    "new k8s.PersistentVolumeClaim({}); class ApiServer { constructor() { new k8s.ConfigMap({}); new k8s.ConfigMap({}); } } new ApiServer();",
    [
      "main-persistent-volume-claim-bb8ed9 generated fixed",
      "api-server-config-map-7d93d7 generated fixed",
      "api-server-config-map-c43f23 generated fixed",
    ],
  ],
  "after a prefix": [
    'new k8s.Job({ metadata: { generateName: "load-" } } as never);',
    ["load-f9a9b9 generated fixed"],
  ],
  "never longer than a label": [
    `class ${"Very".repeat(20)}LongName { constructor() { new k8s.ConfigMap({}); } } new ${"Very".repeat(20)}LongName();`,
    ["very-very-very-very-very-very-very-long-name-config-map-000000 generated fixed"],
  ],
  "with a hash of the contents or a random suffix, as option or property": [
    'new k8s.ConfigMap("a", {}, { naming: "contentsHash" }); new k8s.Secret("b", { naming: "random" } as never); new k8s.ConfigMap("c", { metadata: { name: "own" }, naming: "random" } as never, { naming: "contentsHash" });',
    ["a generated contentsHash", "b generated random", "own contentsHash"],
  ],
};

describe("names of objects", () => {
  test.for(Object.entries(nameCases))("%s", async ([, [code, names]]) => {
    const found = await objectNames(code);
    const hidden = (name: unknown): string => String(name).replace(/-[0-9a-f]{6} /, "-000000 ");
    expect(found.map(hidden)).toEqual(names.map(hidden));
    for (const name of found) expect(String(name).split(" ")[0]?.length).toBeLessThanOrEqual(63);
  });

  test("a hash that depends on the name of the resource only", async () => {
    const [first] = await objectNames("new k8s.ConfigMap({ data: { a: '1' } });");
    const [second] = await objectNames("const x = 1;\nnew k8s.ConfigMap({ data: { b: '2' } });");
    expect(first).toBe(second);
  });
});

test("what the program set is plain, what it did not set is provisioned, the rest is not there", async () => {
  const text = await programText(`${header}
    const api = new k8s.Deployment("api", { metadata: { labels: { app: "x" } }, spec: {
      replicas: 3, selector: { matchLabels: {} },
      template: { spec: { containers: [{ name: "api", image: undefined }] } } } });
    const template = api.spec.template;
    new k8s.ConfigMap("plain", { data: {
      version: api.apiVersion + " " + api.kind,
      replicas: String(api.spec.replicas + 1),
      container: template.spec.containers[0].name,
      containers: String(template.spec.containers.length),
      names: template.spec.containers.map(({ name }) => name).join(),
      label: api.metadata.labels.app,
      noLabel: String(api.metadata.labels.other === undefined),
      noField: String((api as never as { wrong?: string }).wrong === undefined),
      keys: Object.keys(api.spec).join(),
    } });
    new k8s.ConfigMap("unknown", { data: {
      name: api.metadata.name, uid: api.metadata.uid, annotation: api.metadata.annotations.x,
      image: template.spec.containers[0].image, node: template.spec.nodeName,
      condition: api.status.conditions[0].message,
    } });
    const Widget = k8s.kind("example.com/v1", "Widget");
    const widget = new Widget("w", { spec: { size: 3 } });
    new k8s.ConfigMap("custom", { data: { size: String(widget.spec.size), url: widget.status.url, color: widget.spec.color } });
  `);
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:keelson:k8s/Deployment#api (kubernetes)
      {apiVersion: "apps/v1", kind: "Deployment", metadata: {labels: {app: "x"}, name: "api"}, spec: {replicas: 3, selector: {matchLabels: {}}, template: {spec: {containers: [{name: "api"}]}}}}
    dev:shop:main:keelson:k8s/ConfigMap#plain (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "plain"}, data: {version: "apps/v1 Deployment", replicas: "4", container: "api", containers: "1", names: "api", label: "x", noLabel: "true", noField: "true", keys: "replicas,selector,template"}}
    dev:shop:main:keelson:k8s/ConfigMap#unknown (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "unknown"}, data: {name: <Deployment#api.metadata.name>, uid: <Deployment#api.metadata.uid>, annotation: <Deployment#api.metadata.annotations.x>, image: <Deployment#api.spec.template.spec.containers.0.image>, node: <Deployment#api.spec.template.spec.nodeName>, condition: <Deployment#api.status.conditions.0.message>}}
      → dev:shop:main:keelson:k8s/Deployment#api: data.name uses its metadata.name
    dev:shop:main:keelson:k8s/example.com/Widget#w (kubernetes)
      {apiVersion: "example.com/v1", kind: "Widget", metadata: {name: "w"}, spec: {size: 3}}
    dev:shop:main:keelson:k8s/ConfigMap#custom (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "custom"}, data: {size: "3", url: <Widget#w.status.url>, color: <Widget#w.spec.color>}}
      → dev:shop:main:keelson:k8s/example.com/Widget#w: data.url uses its status.url"
  `);
});

test("the name of an object whose name follows its contents is not known", async () => {
  const text = await programText(`${header}
    const config = new k8s.ConfigMap({ metadata: { name: "config" }, data: {} }, { naming: "contentsHash" });
    new k8s.Secret("s", { stringData: { config: config.metadata.name } });
  `);
  expect(text).toContain("stringData: {config: <ConfigMap.metadata.name>}");
});

test("every built-in kind that can be applied has a class", () => {
  const kinds = builtinResources().filter(({ verbs }) => verbs.includes("patch"));
  expect(kinds.map(({ kind }) => kind).filter((kind) => !(kind in k8s))).toEqual([]);
  expect(kinds.length).toBeGreaterThan(50);
});

test("an object cannot be changed after its allocation", async () => {
  const text = await programText(
    `${header}const config = new k8s.ConfigMap("a", { data: { x: "1" } });\n(config.data as { x: string }).x = "2";\n`,
  );
  expect(text).toMatchInlineSnapshot(`
    "error[program.threw]: The program threw TypeError: ConfigMap "a".data.x cannot be changed after the resource is allocated
      at main.ts:3:34
        1 | import { k8s, Resource } from "keelson";
        2 | const config = new k8s.ConfigMap("a", { data: { x: "1" } });
      > 3 | (config.data as { x: string }).x = "2";
          |                                  ^
        4 |"
  `);
});
