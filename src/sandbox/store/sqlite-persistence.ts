import { DatabaseSync, type StatementSync } from "node:sqlite";
import { DiagnosticError, fail } from "../../diagnostics/index.ts";
import { ensurePrivateFile, keepPrivate } from "../../processes/private-file.ts";
import { damagedData, dataProblem } from "./data-problem.ts";
import type { PersistedObject, Persistence } from "./persistence.ts";
import type { StoredObject } from "./stored-object.ts";

const formatVersion = 1;

/**
 * Keeps objects in one SQLite file. The write-ahead log makes every acknowledged write survive the end of the
 * process, however it ends; a power cut may take the last writes, but never a part of one (bench/results/sandbox.md
 * says what more would cost). The exclusive lock makes a second process fail instead of writing too.
 */
export function openSqlitePersistence(file: string): Persistence {
  const { database, openedAt, put, remove, advance, begin, commit, rollback, load } = open(file);

  const write = (revision: number, change: () => void): void => {
    try {
      begin.run();
      change();
      advance.run(revision);
      commit.run();
    } catch (error) {
      // SQLite itself takes back a write that finds no room.
      if (database.isTransaction) rollback.run();
      throw dataProblem(error, "writing", file);
    }
  };

  return {
    revision: () => openedAt,
    load: () => rows(file, load),
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

function open(file: string): Opened {
  let database: DatabaseSync | undefined;
  try {
    // Objects are Secrets, too. SQLite gives its other files the rights of this one.
    ensurePrivateFile(file);
    for (const suffix of ["-wal", "-shm"]) keepPrivate(`${file}${suffix}`);
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    migrate(database, file);
    return prepare(database);
  } catch (error) {
    database?.close();
    throw dataProblem(error, "opening", file);
  }
}

interface Opened extends Readonly<
  Record<"put" | "remove" | "advance" | "begin" | "commit" | "rollback" | "load", StatementSync>
> {
  readonly database: DatabaseSync;
  /** The revision that the file had when it was opened. */
  readonly openedAt: number;
}

function prepare(database: DatabaseSync): Opened {
  const row = database.prepare("SELECT revision FROM counter").get();
  return {
    database,
    openedAt: Number(row?.["revision"] ?? 1),
    put: database.prepare(
      "INSERT INTO objects (resource, namespace, name, revision, json) VALUES (?, ?, ?, ?, ?) " +
        "ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json",
    ),
    remove: database.prepare(
      "DELETE FROM objects WHERE resource = ? AND namespace = ? AND name = ?",
    ),
    advance: database.prepare("UPDATE counter SET revision = ?"),
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    rollback: database.prepare("ROLLBACK"),
    load: database.prepare(
      `SELECT resource, namespace, name, revision, json, CASE WHEN json_valid(json) THEN
        json_extract(json, '$.metadata.name') IS name
        AND json_type(json, '$.metadata.uid') IS 'text'
        AND json_type(json, '$.apiVersion') IS 'text' AND json_type(json, '$.kind') IS 'text'
        ELSE 0 END AS isValid FROM objects`,
    ),
  };
}

/** Every object; one whose text is damaged must not be found only when somebody asks for it. */
function* rows(file: string, load: StatementSync): Generator<PersistedObject> {
  try {
    for (const row of load.iterate() as unknown as Iterable<LoadedRow>) {
      if (row.isValid !== 1)
        throw new DiagnosticError([
          damagedData(
            `opening the sandbox's data ${file}: ${row.resource} ${row.namespace}/${row.name} is damaged`,
          ),
        ]);
      yield row;
    }
  } catch (error) {
    throw dataProblem(error, "opening", file);
  }
}

interface LoadedRow extends PersistedObject {
  readonly isValid: number;
}

function migrate(database: DatabaseSync, file: string): void {
  const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (found > formatVersion) {
    fail({
      code: "sandbox.data-newer",
      summary: `opening the sandbox's data ${file}: it was written by a newer Keelson (format ${found}, this one knows ${formatVersion})`,
      hint: "Use the newer Keelson, or set XDG_STATE_HOME to another folder.",
    });
  }
  // A full disk must not keep anybody from reading.
  if (found === formatVersion) return;
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
