import { afterEach, beforeEach, expect, it } from "vitest";
import { LiveWorld } from "../live/live-world.ts";

/** A provider that repeats what it is given wherever it can, and outputs something of which only it says that it is secret. */
const provider = `
const repeat = (...all) => all.join(" and ");
export default {
  create: async (inputs, { log }) => {
    log("creating with " + inputs.password);
    if (inputs.fails) throw new Error("bad password " + inputs.password);
    return { id: "1", outputs: { token: "t0psecret" }, secrets: ["token"] };
  },
  read: async () => ({}),
  diff: async (before, after) => {
    if (after.password === "unlike") throw new Error("no way from " + before.password + " to " + after.password);
    return { changes: ["password"], replace: [] };
  },
  update: async (id, before, after, { log }) => {
    log("changing " + repeat(before.password, after.password));
    throw new Error("cannot change " + repeat(before.password, after.password));
  },
  delete: async () => {
    throw new Error("cannot delete " + repeat("t0psecret", "hunter2"));
  },
};
`;

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
  const cloud = "app/node_modules/cloud";
  world.write("app/keelson.json", '{"project": "leak"}');
  world.write(
    `${cloud}/package.json`,
    JSON.stringify({
      name: "cloud",
      type: "module",
      exports: "./index.js",
      keelson: { provider: "./provider.js" },
    }),
  );
  world.write(
    `${cloud}/index.js`,
    'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  token = provisioned();\n}\n',
  );
  world.write(`${cloud}/provider.js`, provider);
});
afterEach(() => {
  world.remove();
});

function program(inputs: object): void {
  world.write(
    "app/main.ts",
    `import { k8s } from "keelson";\nimport { Thing } from "cloud";\n` +
      `const thing = new Thing("a", ${JSON.stringify(inputs)}, { secret: ["password"] });\n` +
      'new k8s.ConfigMap("of-a", { data: { token: thing.token } });\n',
  );
}

it("what a provider repeats of secrets is in no output and in no record", async () => {
  const said: string[] = [];
  const run = async (...args: readonly string[]): Promise<number> => {
    const { code, stdout, stderr } = await world.keelson(args);
    said.push(`${args.join(" ")}\n${stdout}${stderr}`);
    return code;
  };
  program({ password: "hunter2", fails: true });
  expect(await run("apply", "app", "--yes")).toBe(3);
  expect(await run("apply", "app", "--yes", "--output", "json")).toBe(3);
  program({ password: "hunter2" });
  expect(await run("apply", "app", "--yes")).toBe(0);
  program({ password: "unlike" });
  await run("plan", "app");
  program({ password: "hunter3" });
  await run("plan", "app");
  await run("plan", "app", "--output", "json");
  expect(await run("apply", "app", "--yes", "--output", "json")).toBe(3);
  await run("status", "app");
  expect(await run("destroy", "app", "--yes")).toBe(3);
  await run("status", "app", "--output", "json");
  expect(said.join("\n")).not.toMatch(/hunter|unlike(?!ly)|t0psecret/);
  expect(said.join("\n")).toContain("bad password ***");
});
