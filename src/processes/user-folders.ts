import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Partial<Record<string, string>>>;

/** Where Keelson keeps what it cannot get again: `$XDG_STATE_HOME/keelson`, else `~/.local/state/keelson`. */
export function stateFolder(env: Environment, name: string): string {
  return join(userFolder(env, "XDG_STATE_HOME", join(".local", "state")), "keelson", name);
}

/** Where Keelson keeps what it can get again: `$XDG_CACHE_HOME/keelson`, else `~/.cache/keelson`. */
export function cacheFolder(env: Environment): string {
  return join(userFolder(env, "XDG_CACHE_HOME", ".cache"), "keelson");
}

/** What is not absolute counts as not set, as the XDG base directories are defined. */
function userFolder(env: Environment, variable: string, usual: string): string {
  const named = env[variable] ?? "";
  return isAbsolute(named) ? named : join(homeFolder(env), usual);
}

/** Services and containers often have no `HOME`: then the account's own, never the working folder. */
function homeFolder(env: Environment): string {
  const named = [env["HOME"], env["USERPROFILE"]].find((path) => path !== undefined && path !== "");
  if (named !== undefined) return named;
  try {
    return userInfo().homedir;
  } catch {
    // An account that nobody knows has no home; writing there fails with its reason.
    return "/";
  }
}
