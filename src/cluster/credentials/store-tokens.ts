import { readFile, rename, stat, writeFile } from "node:fs/promises";
import type { UserEntry } from "../kubeconfig/kubeconfig.ts";

/**
 * Writes renewed tokens into the kubeconfig, as kubectl does: a refresh token often serves only once,
 * so that the next run needs the new one. Comments stay. Where the file cannot be written, this run
 * still works.
 */
export async function storeTokens(
  { file, name }: Pick<UserEntry, "file" | "name">,
  tokens: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const { isMap, isSeq, parseDocument } = await import("yaml");
    const document = parseDocument(await readFile(file, "utf8"));
    const users = document.get("users");
    if (!isSeq(users)) return;
    const index = users.items.findIndex((item) => isMap(item) && item.get("name") === name);
    if (index === -1) return;
    for (const [key, value] of Object.entries(tokens)) {
      if (value !== undefined) {
        document.setIn(["users", index, "user", "auth-provider", "config", key], value);
      }
    }
    const { mode } = await stat(file);
    const unfinished = `${file}.${process.pid}.new`;
    await writeFile(unfinished, document.toString({ lineWidth: 0 }), { mode });
    await rename(unfinished, file);
  } catch {
    // The tokens are in memory; only the next run may have to log in again.
  }
}
