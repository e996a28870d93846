import { afterEach, beforeEach, expect, it } from "vitest";
import { group, LiveWorld } from "../live/live-world.ts";

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
  world.write("pkg/resourcegroup.yaml", group("pkg"));
});
afterEach(() => {
  world.remove();
});

const reference = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "odd" };

it.each([
  ["plain YAML", (value: string) => `data:\n  __proto__: "${value}"\n  constructor: "${value}"\n`],
  [
    "JSON in YAML",
    (value: string) => `data: {"__proto__": "${value}", "constructor": "${value}"}\n`,
  ],
])(
  "keys such as __proto__ are applied, planned and pruned like others: %s",
  async (_case, data) => {
    const write = (text: string): void => {
      world.write(
        "pkg/map.yaml",
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: odd\n  namespace: default\n${text}`,
      );
    };
    const dataOf = () => world.look(async (cluster) => (await cluster.get(reference))["data"]);
    write(data("1"));
    expect(await world.live("apply pkg")).toMatchObject({ code: 0 });
    expect(JSON.stringify(await dataOf())).toBe('{"__proto__":"1","constructor":"1"}');
    expect((await world.live("plan pkg")).stdout).toContain("1 unchanged");
    write(data("2"));
    expect((await world.live("plan pkg")).stdout).toContain("__proto__");
    await world.live("apply pkg");
    expect(JSON.stringify(await dataOf())).toBe('{"__proto__":"2","constructor":"2"}');
    write("data:\n  a: b\n");
    await world.live("apply pkg");
    expect(JSON.stringify(await dataOf())).toBe('{"a":"b"}');
  },
);

it("programs may use such keys, with values that are known later", async () => {
  world.write("app/keelson.json", '{ "project": "odd" }');
  world.write(
    "app/main.ts",
    `import { k8s } from "keelson";
const a = new k8s.ConfigMap("odd", { data: { ["__proto__"]: "1" } });
new k8s.ConfigMap("after", { data: { ["__proto__"]: a.metadata.name } });
`,
  );
  expect(await world.keelson(["apply", "app", "--yes"])).toMatchObject({ code: 0 });
  const dataOf = (name: string) =>
    world.look(async (cluster) => (await cluster.get({ ...reference, name }))["data"]);
  expect(JSON.stringify(await dataOf("odd"))).toBe('{"__proto__":"1"}');
  expect(JSON.stringify(await dataOf("after"))).toBe('{"__proto__":"odd"}');
  expect((await world.keelson(["plan", "app"])).stdout).toContain("2 unchanged");
});
