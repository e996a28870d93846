/**
 * What a write of the sandbox's store costs, by what it is to survive: the end of the process (`NORMAL`, as it is), or
 * a power cut too (`FULL`). Each level twice, in turns, on the disk of the working directory.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const writes = Number(process.argv[2] ?? 3000);
const folder = mkdtempSync(join(process.cwd(), ".bench-"));
try {
  for (const level of ["NORMAL", "FULL", "NORMAL", "FULL"]) {
    const ms = measure(level);
    process.stdout.write(`${level.padEnd(6)} ${(ms / writes).toFixed(3)} ms a write\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes of one object each, as the store does them. */
function measure(level: string): number {
  const database = new DatabaseSync(join(folder, `${level}-${Date.now()}.sqlite`));
  database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${level};
    CREATE TABLE objects (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID`);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const put = database.prepare("INSERT INTO objects VALUES (?, ?)");
  const commit = database.prepare("COMMIT");
  const json = "x".repeat(700);
  const started = performance.now();
  for (let number = 0; number < writes; number++) {
    begin.run();
    put.run(`map-${number}`, json);
    commit.run();
  }
  const took = performance.now() - started;
  database.close();
  return took;
}
