import { homedir } from "node:os";
import { join } from "node:path";

/** Where built and unpacked test tools are kept: outside the checkout, shared by all checkouts. */
export function cacheFolder(...parts: readonly string[]): string {
  const base = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(base, "keelson", ...parts);
}
