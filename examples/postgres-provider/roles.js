import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { identifier, literal, markOf, statNow, withServer } from "./connection.js";

/** Roles; the id is the oid, which stays when a role is renamed. */
export const roles = {
  inputs: {
    name: { type: "string", required: true },
    login: { type: "boolean" },
    password: { type: "string" },
  },
  fixed: [],
  logField: "user",

  create: (inputs, context) =>
    withServer(context, async (query) => {
      await query("BEGIN");
      await query(`CREATE ROLE ${identifier(inputs.name)} ${attributes(inputs)}`);
      await query(`COMMENT ON ROLE ${identifier(inputs.name)} IS ${literal(markOf(context))}`);
      const [row] = await query(`${select} WHERE rolname = $1`, [inputs.name]);
      await query("COMMIT");
      return { id: String(row.oid), outputs: row };
    }),

  read: (id, context) =>
    withServer(context, async (query) => (await query(`${select} WHERE oid = $1`, [id]))[0]),

  update: (id, oldInputs, newInputs, context) =>
    withServer(context, async (query) => {
      const [found] = await query(`${select} WHERE oid = $1`, [id]);
      if (found === undefined) throw new Error(`there is no role with the oid ${id}`);
      await query("BEGIN");
      if (found.name !== newInputs.name)
        await query(`ALTER ROLE ${identifier(found.name)} RENAME TO ${identifier(newInputs.name)}`);
      const isSame = oldInputs.password === newInputs.password;
      const { password, ...others } = newInputs;
      const changed = isSame ? others : { ...others, password: password ?? null };
      await query(`ALTER ROLE ${identifier(newInputs.name)} ${attributes(changed)}`);
      const [row] = await query(`${select} WHERE oid = $1`, [id]);
      await query("COMMIT");
      return row;
    }),

  delete: (id, context) =>
    withServer(context, async (query) => {
      const [found] = await query(`${select} WHERE oid = $1`, [id]);
      if (found !== undefined) await query(`DROP ROLE IF EXISTS ${identifier(found.name)}`);
    }),

  find: (inputs, context) =>
    withServer(context, async (query) => {
      const marked = "shobj_description(oid, 'pg_authid') = $2";
      const values = [inputs.name, markOf(context)];
      const [row] = await query(`${select} WHERE rolname = $1 AND ${marked}`, values);
      return row && { id: String(row.oid), outputs: row };
    }),

  stats: (id, context) =>
    withServer(context, async (query) => {
      const [row] = await query(
        "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE usesysid = $1",
        [id],
      );
      return [statNow("connections", "1", row.connections)];
    }),
};

const select = "SELECT oid::int, rolname AS name, rolcanlogin AS login FROM pg_roles";

function attributes({ login = false, password }) {
  const words = [login ? "LOGIN" : "NOLOGIN"];
  if (password === null) words.push("PASSWORD NULL");
  else if (password !== undefined) words.push(`PASSWORD ${literal(verifier(password))}`);
  return words.join(" ");
}

/** What the server keeps of a password: so it is neither sent nor written into the server's log. */
function verifier(password) {
  const rounds = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, rounds, 32, "sha256");
  const hmac = (text) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const server = hmac("Server Key").toString("base64");
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${server}`;
}
