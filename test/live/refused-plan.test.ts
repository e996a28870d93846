/** A plan says what an apply comes to when the server refuses a change: nothing of it "to update". */
import { afterEach, beforeEach, expect, it } from "vitest";
import { LiveWorld } from "./live-world.ts";

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
});
afterEach(() => {
  world.remove();
});

const map = (name: string, data: string, more = "", annotations = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, annotations: {${annotations}} }\ndata: { v: "${data}" }\n${more}---\n`;
const waits = (name: string): string =>
  `config.kubernetes.io/depends-on: "/namespaces/default/ConfigMap/${name}"`;
const input = (data: string, rest: string): string =>
  map("fixed", data, "immutable: true\n") +
  map("after", data, "", waits("fixed")) +
  map("last", "1", "", waits("after")) +
  map("other", data) +
  rest;

it("names what is refused, and skips what waits for it and what would be deleted, as the apply does", async () => {
  world.write("keelson.json", '{ "project": "shop" }');
  world.write("deploy/all.yaml", input("1", map("old", "1")));
  expect((await world.keelson(["apply", "deploy"])).code).toBe(0);
  world.write("deploy/all.yaml", input("2", ""));

  const plan = await world.keelson(["plan", "deploy"]);
  expect(plan.stdout).toMatchInlineSnapshot(`
    "✗ ConfigMap default/fixed refused
        cannot patch configmaps default/fixed: 1 field is not valid
        data: Forbidden: field is immutable when \`immutable\` is set
    = ConfigMap default/after skipped: it waits for ConfigMap fixed, which the server refuses
    = ConfigMap default/last skipped: it waits for ConfigMap fixed, which the server refuses
    ~ ConfigMap default/other
          .data.v: "1" → "2"
    = ConfigMap default/old keep: ConfigMap fixed is refused, and may still need it
    1 refused by the server, 1 to update, 1 kept, 2 skipped
    "
  `);
  expect(plan.code).toBe(3);

  const json = await world.keelson(["plan", "deploy", "-o", "json"]);
  const lines = json.stdout.trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    counts: { refused: 1, skip: 2, keep: 1, update: 1 },
  });

  const applied = await world.keelson(["apply", "deploy"]);
  expect(applied.code).toBe(3);
  expect(applied.stdout).toContain("1 configured, 2 skipped, 1 failed, 1 kept");
});

it("skips what waits for an object that belongs to somebody else", async () => {
  world.write("keelson.json", '{ "project": "one" }');
  world.write("deploy/all.yaml", map("fixed", "1"));
  expect((await world.keelson(["apply", "deploy"])).code).toBe(0);
  world.write("keelson.json", '{ "project": "two" }');
  world.write("deploy/all.yaml", input("2", ""));
  const plan = await world.keelson(["plan", "deploy"]);
  expect(plan.stdout).toContain(
    "= ConfigMap default/after skipped: it waits for ConfigMap fixed, which is skipped",
  );
  expect(plan.stdout).toContain("1 to create, 3 skipped");
  const applied = await world.keelson(["apply", "deploy"]);
  expect(applied.stdout).toContain("1 created, 3 skipped");
  expect(applied.code).toBe(plan.code);
});
