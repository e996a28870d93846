import { join } from "node:path";

/** Where Keelson keeps what it can get again: `$XDG_CACHE_HOME/keelson`, else `~/.cache/keelson`. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const base = env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(home, ".cache") : base, "keelson");
}
