import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../processes/index.ts";
import type { Discovered } from "./discovery.ts";

/** Raised when the shape of what is stored changes: older files are then not read. */
const format = 3;

interface CacheFile extends Discovered {
  readonly format: number;
  readonly storedAtMs: number;
}

const digestLength = 64;

/** The first line says what the rest must add up to: a file that was cut or damaged is as good as none. */
function withDigest(content: string): string {
  return `${digestOf(content)}\n${content}`;
}

function withoutDigest(text: string): string | undefined {
  const content = text.slice(digestLength + 1);
  return text === withDigest(content) ? content : undefined;
}

function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
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
        const content = withoutDigest(await readFile(file, "utf8"));
        if (content === undefined) return undefined;
        const { format: found, storedAtMs, ...discovered } = JSON.parse(content) as CacheFile;
        return found === format ? { discovered, storedAtMs } : undefined;
      } catch {
        return undefined;
      }
    },
    async write(discovered, nowMs) {
      const content: CacheFile = { format, storedAtMs: nowMs, ...discovered };
      const unfinished = `${file}.${randomUUID()}`;
      try {
        makeFolder(dirname(file));
        // Others may read the file at any time: it appears whole or not at all.
        await writeFile(unfinished, withDigest(JSON.stringify(content)));
        await rename(unfinished, file);
      } catch {
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    },
  };
}
