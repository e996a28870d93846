import { createHash } from "node:crypto";
import { identifier, literal, markOf, statNow, withServer } from "./connection.js";

/** Databases; the id is the oid, which stays when a database is renamed. */
export const databases = {
  inputs: {
    name: { type: "string", required: true },
    owner: { type: "string" },
    encoding: { type: "string" },
  },
  fixed: ["encoding"],
  logField: "dbname",

  create: (inputs, context) =>
    withServer(context, async (query) => {
      const [taken] = await query(`${select} WHERE datname = $1`, [inputs.name]);
      if (taken !== undefined) throw new Error(`the database "${inputs.name}" already exists`);
      // It cannot be made and marked at once: until it is marked, its name is the mark.
      const { owner, encoding } = inputs;
      const options = [
        owner === undefined ? "" : `OWNER ${identifier(owner)}`,
        encoding === undefined ? "" : `ENCODING ${literal(encoding)} TEMPLATE template0`,
      ];
      await query(`CREATE DATABASE ${identifier(unfinishedName(context))} ${options.join(" ")}`);
      return finish(query, inputs, context);
    }),

  read: (id, context) =>
    withServer(context, async (query) => (await query(`${select} WHERE oid = $1`, [id]))[0]),

  update: (id, _oldInputs, newInputs, context) =>
    withServer(context, async (query) => {
      const [found] = await query(`${select} WHERE oid = $1`, [id]);
      if (found === undefined) throw new Error(`there is no database with the oid ${id}`);
      if (found.name !== newInputs.name)
        await query(
          `ALTER DATABASE ${identifier(found.name)} RENAME TO ${identifier(newInputs.name)}`,
        );
      const owner = newInputs.owner === undefined ? "CURRENT_USER" : identifier(newInputs.owner);
      await query(`ALTER DATABASE ${identifier(newInputs.name)} OWNER TO ${owner}`);
      return (await query(`${select} WHERE oid = $1`, [id]))[0];
    }),

  delete: (id, context) =>
    withServer(context, async (query) => {
      const [found] = await query(`${select} WHERE oid = $1`, [id]);
      if (found !== undefined) await query(`DROP DATABASE IF EXISTS ${identifier(found.name)}`);
    }),

  find: (inputs, context) =>
    withServer(context, async (query) => {
      const [unfinished] = await query(`${select} WHERE datname = $1`, [unfinishedName(context)]);
      if (unfinished !== undefined) return finish(query, inputs, context);
      const marked = "shobj_description(oid, 'pg_database') = $2";
      const values = [inputs.name, markOf(context)];
      const [row] = await query(`${select} WHERE datname = $1 AND ${marked}`, values);
      return row && { id: String(row.oid), outputs: row };
    }),

  stats: (id, context) =>
    withServer(context, async (query) => {
      const [row] = await query(
        "SELECT pg_database_size(datid) AS size, numbackends, xact_commit, xact_rollback FROM pg_stat_database WHERE datid = $1",
        [id],
      );
      if (row === undefined) return [];
      return [
        statNow("size", "bytes", row.size),
        statNow("connections", "1", row.numbackends),
        statNow("commits", "1", row.xact_commit),
        statNow("rollbacks", "1", row.xact_rollback),
      ];
    }),
};

const select =
  "SELECT oid::int, datname AS name, pg_get_userbyid(datdba) AS owner, pg_encoding_to_char(encoding) AS encoding FROM pg_database";

async function finish(query, { name }, context) {
  const unfinished = identifier(unfinishedName(context));
  await query(`COMMENT ON DATABASE ${unfinished} IS ${literal(markOf(context))}`);
  await query(`ALTER DATABASE ${unfinished} RENAME TO ${identifier(name)}`);
  const [row] = await query(`${select} WHERE datname = $1`, [name]);
  return { id: String(row.oid), outputs: row };
}

function unfinishedName({ name }) {
  return `keelson_${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
}
