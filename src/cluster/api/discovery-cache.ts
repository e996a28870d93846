import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Discovered } from "./discovery.ts";

/** Raised when the shape of what is stored changes: older files are then not read. */
const format = 2;

interface CacheFile extends Discovered {
  readonly format: number;
  readonly storedAtMs: number;
}

/** What discovery found, kept on disk for each cluster. It is only a cache: failures do no harm. */
export interface DiscoveryCache {
  read(): Promise<{ readonly discovered: Discovered; readonly storedAtMs: number } | undefined>;
  write(discovered: Discovered, nowMs: number): Promise<void>;
}

/**
 * A file for a cluster. The authority's certificate is part of the key, because a local cluster that
 * was made anew has the same address.
 */
export function discoveryCacheFile(
  folder: string,
  server: string,
  certificateAuthority: string | undefined,
): DiscoveryCache {
  const key = createHash("sha256")
    .update(`${server}\n${certificateAuthority ?? ""}`)
    .digest("hex")
    .slice(0, 24);
  const file = join(folder, "discovery", `${key}.json`);
  return {
    async read() {
      try {
        const {
          format: found,
          storedAtMs,
          ...discovered
        } = JSON.parse(await readFile(file, "utf8")) as CacheFile;
        return found === format ? { discovered, storedAtMs } : undefined;
      } catch {
        return undefined;
      }
    },
    async write(discovered, nowMs) {
      const content: CacheFile = { format, storedAtMs: nowMs, ...discovered };
      const unfinished = `${file}.${randomUUID()}`;
      try {
        await mkdir(dirname(file), { recursive: true });
        // Others may read the file at any time: it appears whole or not at all.
        await writeFile(unfinished, JSON.stringify(content));
        await rename(unfinished, file);
      } catch {
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    },
  };
}
