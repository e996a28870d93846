import { mkdir, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const staleMs = 30_000;
const refreshMs = 5_000;
const longestWaitMs = 30 * 60_000;

/** Runs `work` while holding a lock folder, so that two processes never build the same thing. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(folder), { recursive: true });
  const started = Date.now();
  while (!(await take(folder))) {
    if (Date.now() - started > longestWaitMs) throw new Error(`gave up waiting for ${folder}`);
    await pause(250);
  }
  const refresh = setInterval(() => {
    utimes(folder, new Date(), new Date()).catch(() => {
      // The folder is gone only when the lock was taken as stale; the work then ends by itself.
    });
  }, refreshMs);
  try {
    return await work();
  } finally {
    clearInterval(refresh);
    await rm(folder, { recursive: true, force: true });
  }
}

async function take(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > staleMs) {
      await rm(folder, { recursive: true, force: true });
    }
    return false;
  }
}
