import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
      await server.query(`DROP ROLE "${String(outputs["name"]).replaceAll('"', '""')}"`);
    },
    logs: {
      text: "statement: SELECT 'from the role'",
      cause: async ({ outputs }) => {
        await server.query("SELECT 'from the role'", { user: String(outputs["name"]) });
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
      await server.query(`DROP DATABASE "${String(outputs["name"])}"`);
    },
    logs: {
      text: "statement: SELECT 'from the database'",
      cause: async ({ outputs }) => {
        const database = String(outputs["name"]);
        await server.query("SELECT 'from the database'", { database });
      },
    },
    stats: ["size", "connections", "commits", "rollbacks"],
  },
]);
