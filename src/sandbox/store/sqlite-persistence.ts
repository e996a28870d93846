import { DatabaseSync } from "node:sqlite";
import { fail } from "../../diagnostics/index.ts";
import type { PersistedObject, Persistence } from "./persistence.ts";
import type { StoredObject } from "./stored-object.ts";

const formatVersion = 1;

/**
 * Keeps objects in one SQLite file. The write-ahead log makes every acknowledged write survive the end
 * of the process; the exclusive lock makes a second process fail instead of writing too.
 */
export function openSqlitePersistence(file: string): Persistence {
  const database = open(file);
  const put = database.prepare(
    "INSERT INTO objects (resource, namespace, name, revision, json) VALUES (?, ?, ?, ?, ?) " +
      "ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json",
  );
  const remove = database.prepare(
    "DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?",
  );
  const advance = database.prepare("UPDATE counter SET revision = ?");
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const load = database.prepare("SELECT resource, namespace, name, revision, json FROM objects");

  const write = (revision: number, change: () => void): void => {
    begin.run();
    try {
      change();
      advance.run(revision);
      commit.run();
    } catch (error) {
      rollback.run();
      throw error;
    }
  };

  return {
    revision: () => {
      const row = database.prepare("SELECT revision FROM counter").get();
      return Number(row?.["revision"] ?? 1);
    },
    load: () => load.iterate() as unknown as Iterable<PersistedObject>,
    put: (resource: string, stored: StoredObject) => {
      const { namespace, name, revision, json } = stored;
      write(revision, () => put.run(resource, namespace, name, revision, json));
    },
    delete: (resource: string, { namespace, name, revision }: StoredObject) => {
      write(revision, () => remove.run(resource, namespace, name));
    },
    fill: (objects, revision) => {
      write(revision, () => {
        for (const { resource, stored } of objects) {
          const { namespace, name, revision: written, json } = stored;
          put.run(resource, namespace, name, written, json);
        }
      });
    },
    close: () => {
      database.close();
    },
  };
}

function open(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    migrate(database, file);
    return database;
  } catch (error) {
    database?.close();
    if (isSqliteError(error, sqliteBusy)) {
      fail({
        code: "sandbox.data-in-use",
        summary: `opening the sandbox's data ${file}: another process holds it`,
        hint: "stop the other process, or use another folder with --data",
        cause: error,
      });
    }
    if (isSqliteError(error, sqliteNotADatabase) || isSqliteError(error, sqliteCorrupt)) {
      fail({
        code: "sandbox.data-damaged",
        summary: `opening the sandbox's data ${file}: this is not a sandbox's data, or it is damaged`,
        hint: "`keelson sandbox --fresh` begins anew; the old file is kept beside it",
        cause: error,
      });
    }
    throw error;
  }
}

function migrate(database: DatabaseSync, file: string): void {
  const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (found > formatVersion) {
    fail({
      code: "sandbox.data-newer",
      summary: `opening the sandbox's data ${file}: it was written by a newer Keelson (format ${found}, this one knows ${formatVersion})`,
      hint: "use the newer Keelson, or another folder with --data",
    });
  }
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS objects (
      resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
      revision INTEGER NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (resource, namespace, name)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS counter (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
    INSERT OR IGNORE INTO counter (id, revision) VALUES (1, 1);
    PRAGMA user_version = ${formatVersion};
    COMMIT;
  `);
}

const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

function isSqliteError(error: unknown, code: number): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === code;
}
