import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { openProviders, type ProviderContext } from "../../src/providers/index.ts";
import { describeProvider } from "./contract.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const folder = join(import.meta.dirname, "../../examples/postgres-provider");
const packageName = "keelson-example-postgres";
const host = openProviders({
  projectFolder: folder,
  environment: {},
  timeouts: { cancel: 1_000 },
});
let server: PostgresServer;
let count = 0;

beforeAll(async () => {
  server = await startPostgres();
  Object.assign(process.env, server.environment);
}, 120_000);

afterAll(async () => {
  await host.close();
  await server.stop();
});

const nameOf = (outputs: JsonObject): string =>
  typeof outputs["name"] === "string" ? outputs["name"] : "";

const contextOf = (className: string, name: string): ProviderContext => ({
  type: `${packageName}:index/${className}`,
  name,
  signal: new AbortController().signal,
  log: () => {},
});

describeProvider("PostgreSQL", () => host.provider(packageName), [
  {
    type: `${packageName}:index/Role`,
    inputs: () => ({ name: `role "${count++}"`, login: true, password: "it's me" }),
    inPlace: { change: { name: "renamed", login: false }, changes: ["login", "name"] },
    refused: { change: { login: "yes" }, says: "login must be a boolean" },
    isFound: true,
    isReal: true,
    loseIt: async ({ outputs }) => {
      await server.query(`DROP ROLE "${nameOf(outputs).replaceAll('"', '""')}"`);
    },
    logs: {
      text: "statement: SELECT 'from the role'",
      cause: async ({ outputs }) => {
        await server.query("SELECT 'from the role'", {
          user: nameOf(outputs),
          password: "it's me",
        });
      },
    },
    stats: ["connections"],
  },
  {
    type: `${packageName}:index/Database`,
    inputs: () => ({ name: `database ${count++}`, encoding: "UTF8" }),
    inPlace: { change: { name: "renamed" }, changes: ["name"] },
    replaced: { change: { encoding: "SQL_ASCII" }, replace: ["encoding"] },
    refused: { change: { name: null }, says: "name must be a text" },
    isFound: true,
    isReal: true,
    loseIt: async ({ outputs }) => {
      await server.query(`DROP DATABASE "${nameOf(outputs)}"`);
    },
    logs: {
      text: "statement: SELECT 'from the database'",
      cause: async ({ outputs }) => {
        const database = nameOf(outputs);
        await server.query("SELECT 'from the database'", { database });
      },
    },
    stats: ["size", "connections", "commits", "rollbacks"],
  },
]);

describe("the PostgreSQL example", () => {
  it("sets a password that the server's log never shows", async () => {
    const provider = await host.provider(packageName);
    const context = contextOf("Role", "a-role");
    const inputs = { name: "someone", login: true, password: "first secret" };
    const { id } = await provider.create(inputs, context);
    const logIn = (password: string): Promise<string> =>
      server
        .query("SELECT current_user AS name", {
          user: "someone",
          database: "postgres",
          password,
        })
        .then(
          ([row]) => String(row?.["name"]),
          (error: unknown) => (error as Error).message,
        );
    expect(await logIn("first secret")).toBe("someone");
    const changed = { ...inputs, password: "second secret" };
    await provider.update(id, inputs, changed, context);
    expect(await logIn("first secret")).toContain("password authentication failed");
    expect(await logIn("second secret")).toBe("someone");
    await provider.update(id, changed, { ...changed, login: false }, context);
    expect(await logIn("second secret")).toContain("is not permitted to log in");
    const [log] = await server.query("SELECT pg_read_file(pg_current_logfile('jsonlog')) AS text");
    expect(log?.["text"]).toContain("CREATE ROLE");
    expect(log?.["text"]).not.toContain("first secret");
    await provider.delete(id, context);
  });

  it("goes on with a database whose creation was interrupted", async () => {
    const provider = await host.provider(packageName);
    const context = contextOf("Database", "interrupted");
    const hash = createHash("sha256").update("interrupted").digest("hex").slice(0, 24);
    await server.query(`CREATE DATABASE keelson_${hash}`);
    const found = await provider.find?.({ name: "finished" }, context);
    expect(found?.outputs["name"]).toBe("finished");
    expect(await provider.find?.({ name: "finished" }, context)).toEqual(found);
    await provider.delete(found?.id ?? "", context);
  });

  it("does not take over what somebody else made", async () => {
    const provider = await host.provider(packageName);
    const context = contextOf("Role", "mine");
    await server.query("CREATE ROLE theirs");
    expect(await provider.find?.({ name: "theirs" }, context)).toBe(undefined);
    await expect(provider.create({ name: "theirs" }, context)).rejects.toThrow(
      'creating mine failed: role "theirs" already exists',
    );
    await server.query("DROP ROLE theirs");
  });

  it("tells numbers that are true", async () => {
    const provider = await host.provider(packageName);
    const context = contextOf("Database", "counted");
    const { id } = await provider.create({ name: "counted" }, context);
    const size = async (): Promise<number> =>
      (await provider.fetchStats?.(id, context))?.find(({ name }) => name === "size")?.points[0]
        ?.value ?? 0;
    const before = await size();
    await server.query("CREATE TABLE t AS SELECT generate_series(1, 10000)", {
      database: "counted",
    });
    expect(await size()).toBeGreaterThan(before + 100_000);
    await provider.delete(id, context);
  });

  it("says which server it does not reach", async () => {
    const provider = await host.provider(packageName);
    process.env["PGPORT"] = "1";
    await expect(provider.read("1", contextOf("Role", "far"))).rejects.toThrow(
      "reading far failed: connect ECONNREFUSED 127.0.0.1:1",
    );
    Object.assign(process.env, server.environment);
  });
});
