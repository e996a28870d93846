import { existsSync, renameSync, rmSync } from "node:fs";
import { DiagnosticError, fail } from "../../diagnostics/index.ts";
import { openPersistence, readServing, setAside, storePath } from "../data-folder.ts";
import { openSqlitePersistence } from "../store/sqlite-persistence.ts";
import { StoredObject } from "../store/stored-object.ts";
import { readSnapshot } from "./snapshot-text.ts";

export interface RestoredSnapshot {
  readonly objects: number;
  /** Where the former objects were put. */
  readonly setAside: string | undefined;
}

/**
 * Replaces the objects of a folder by those of a snapshot. The new store is complete before the old
 * one is set aside, and it counts on from the higher version of the two, so that no version is ever
 * used twice.
 */
export async function restoreSnapshot(
  folder: string,
  text: string,
  source: string,
): Promise<RestoredSnapshot> {
  const read = readSnapshot(text);
  if (read.kind === "problem") {
    fail({
      code: "sandbox.snapshot-invalid",
      summary: `restoring the sandbox from ${source}: line ${read.line}: ${read.message}`,
      hint: "give a file that `keelson sandbox snapshot` wrote",
    });
  }
  const serving = readServing(folder);
  if (serving !== undefined) {
    fail({
      code: "sandbox.data-in-use",
      summary: `restoring the sandbox's data ${folder}: process ${serving.pid} serves it on port ${serving.port}`,
      hint: "stop it, then restore",
    });
  }
  const { revision, objects } = read.snapshot;
  const current = await currentRevision(folder);
  const unfinished = `${storePath(folder)}.restoring`;
  rmSync(unfinished, { force: true });
  const persistence = openSqlitePersistence(unfinished);
  try {
    persistence.fill(
      objects.map(({ resource, namespace, name, json, revision: written }) => ({
        resource,
        stored: StoredObject.fromJson({ namespace, name }, json, written),
      })),
      Math.max(revision, current),
    );
  } catch (error) {
    persistence.close();
    for (const suffix of ["", "-wal"]) rmSync(`${unfinished}${suffix}`, { force: true });
    throw error;
  }
  persistence.close();
  const aside = setAside(folder, Date.now());
  renameSync(unfinished, storePath(folder));
  return { objects: objects.length, setAside: aside };
}

async function currentRevision(folder: string): Promise<number> {
  if (!existsSync(storePath(folder))) {
    (await openPersistence(folder)).close();
    return 1;
  }
  try {
    const persistence = await openPersistence(folder);
    try {
      return persistence.revision();
    } finally {
      persistence.close();
    }
  } catch (error) {
    // A snapshot is what helps against damage; nobody knows how far the lost ones had counted.
    if (error instanceof DiagnosticError && error.diagnostics[0]?.code === "sandbox.data-damaged")
      return 1;
    throw error;
  }
}
