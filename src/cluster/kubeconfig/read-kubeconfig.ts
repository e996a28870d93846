import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { errorCode } from "../transport/connection-error.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

/** No kubeconfig is this large; something else was named by mistake. */
const mostBytes = 16 * 1024 * 1024;

/** Reads and merges files: for each name, and for the current context, the first file counts. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const parts = await Promise.all(
    files.map(async (file) => parseKubeconfig(resolve(file), await readBounded(file))),
  );
  return {
    currentContext: parts.find(({ currentContext }) => currentContext !== undefined)
      ?.currentContext,
    contexts: firstWins(parts.map(({ contexts }) => contexts)),
    clusters: firstWins(parts.map(({ clusters }) => clusters)),
    users: firstWins(parts.map(({ users }) => users)),
  };
}

async function readBounded(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    if (size > mostBytes) {
      return fail({
        code: "cluster.kubeconfig-broken",
        summary: `${file} is no kubeconfig: it has ${Math.round(size / 1024 / 1024)} MB`,
      });
    }
    return await handle.readFile("utf8");
  } catch (error) {
    if (error instanceof Error && "diagnostics" in error) throw error;
    const missing = errorCode(error) === "ENOENT";
    return fail({
      code: "cluster.kubeconfig-missing",
      summary: missing
        ? `the kubeconfig ${file} does not exist`
        : `the kubeconfig ${file} cannot be read (${errorCode(error)})`,
      hint: "check --kubeconfig and KUBECONFIG",
      cause: error,
    });
  }
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) {
    for (const [name, value] of map) if (!merged.has(name)) merged.set(name, value);
  }
  return merged;
}
