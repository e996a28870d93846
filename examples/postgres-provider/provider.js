/**
 * Roles and databases of a PostgreSQL server. Which server, and as whom: PGHOST, PGPORT, PGUSER,
 * PGPASSWORD and PGDATABASE, as for psql.
 */
import { changedNames, problemsOf } from "./inputs.js";
import { databases } from "./databases.js";
import { roles } from "./roles.js";
import { serverLog } from "./server-log.js";

/** @typedef {{ type: string, name: string, signal: AbortSignal, log: (line: string) => void }} Context */

/** The last part of a type is the class: `keelson-example-postgres:index/Role`. */
const kinds = { Role: roles, Database: databases };

/** @param {Context} context */
function kindOf({ type }) {
  const kind = kinds[type.split("/").at(-1)];
  if (kind === undefined) throw new Error(`there is no type ${type}; there are Role and Database`);
  return kind;
}

/** @param {Context} context */
function checked(inputs, context) {
  const kind = kindOf(context);
  const problems = problemsOf(kind.inputs, inputs);
  if (problems.length > 0) throw new Error(problems.join("; "));
  return kind;
}

export default {
  create: async (inputs, context) => checked(inputs, context).create(inputs, context),
  read: async (id, context) => kindOf(context).read(id, context),
  update: async (id, oldInputs, newInputs, context) =>
    checked(newInputs, context).update(id, oldInputs, newInputs, context),
  delete: async (id, context) => kindOf(context).delete(id, context),
  check: async (inputs, context) => problemsOf(kindOf(context).inputs, inputs),
  diff: async (oldInputs, newInputs, context) => {
    const changes = changedNames(oldInputs, newInputs);
    const replace = changes.filter((name) => kindOf(context).fixed.includes(name));
    // Two databases of one name cannot exist at once.
    return { changes, replace, deleteBeforeReplace: !changes.includes("name") };
  },
  find: async (inputs, context) => kindOf(context).find(inputs, context),
  fetchLog: (id, options, context) => serverLog(kindOf(context), id, options, context),
  fetchStats: async (id, context) => kindOf(context).stats(id, context),
};
