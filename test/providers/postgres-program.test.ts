import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LiveWorld } from "../live/live-world.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
let world: LiveWorld;

beforeAll(async () => {
  server = await startPostgres();
  Object.assign(process.env, server.environment);
  world = new LiveWorld();
  mkdirSync(join(world.home, "app/node_modules"), { recursive: true });
  symlinkSync(
    join(import.meta.dirname, "../../examples/postgres-provider"),
    join(world.home, "app/node_modules/keelson-example-postgres"),
  );
  world.write("app/keelson.json", '{"project": "shop"}');
}, 120_000);

afterAll(async () => {
  world.remove();
  await server.stop();
});

/** As much of the client as is used here; it brings no types. */
interface PostgresClient {
  readonly connect: () => Promise<void>;
  readonly query: (
    text: string,
  ) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  readonly end: () => Promise<void>;
}

async function query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const name: string = "pg";
  const { Client } = (await import(name)) as { readonly Client: new () => PostgresClient };
  const client = new Client();
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

it("is used by a program from the first plan to the end", async () => {
  const keelson = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await world.keelson(args);
    return stdout + stderr.replace(/^using .*\n/, "");
  };
  const program = (database: string): string =>
    `import { k8s, random } from "keelson";\nimport { Database, Role } from "keelson-example-postgres";\n` +
    `const password = new random.Password("shop", { length: 20 });\n` +
    `const role = new Role("shop", { name: "shop", login: true, password: password.value });\n` +
    `const database = new Database("shop", { name: "${database}", owner: role.name });\n` +
    `new k8s.Secret("database", { stringData: { PASSWORD: password.value, OID: \`\${database.oid}\` } });\n`;
  world.write("app/main.ts", program("shop"));
  expect(await keelson("plan", "app")).toContain("4 to create");
  const applied = await keelson("apply", "app");
  expect(applied).toContain("4 created");
  expect(await query("select datname from pg_database where datname = 'shop'")).toHaveLength(1);
  expect(await keelson("plan", "app")).toBe("4 unchanged\n");

  // What the server itself says of it.
  expect(
    await keelson(
      "stats",
      "dev:shop:main:keelson-example-postgres:index/Database#shop",
      "--source",
      "app",
    ),
  ).toMatch(/size +\d+ +bytes/);
  const logged = await world.keelson([
    "logs",
    "dev:shop:main:keelson-example-postgres:index/Database#shop",
    "--source",
    "app",
  ]);
  expect(logged.code).toBe(0);

  // Somebody drops it behind our back.
  await query("drop database shop");
  expect(await keelson("refresh", "app")).toContain("it is gone");
  expect(await keelson("apply", "app")).toContain("1 created");
  expect(await query("select datname from pg_database where datname = 'shop'")).toHaveLength(1);

  const destroyed = await keelson("destroy", "app");
  expect(destroyed).toContain("4 deleted");
  expect(await query("select datname from pg_database where datname = 'shop'")).toEqual([]);
  expect(await query("select rolname from pg_roles where rolname = 'shop'")).toEqual([]);
}, 120_000);
