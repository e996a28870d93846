import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../processes/index.ts";
import { fail } from "../diagnostics/index.ts";
import { writePrivateFile } from "../processes/private-file.ts";
import { defaultDataFolder } from "../sandbox/index.ts";

/**
 * The token of the user's dashboards, made once: a page that is open goes on when the command is started
 * again. Only its owner can read the file.
 */
export async function lastingToken(
  env: Readonly<Partial<Record<string, string>>>,
): Promise<string> {
  const file = join(dirname(defaultDataFolder(env)), "dashboard-token");
  const known = await readFile(file, "utf8").catch(() => "");
  if (/^[\w-]{43}$/.test(known)) return known;
  const token = randomBytes(32).toString("base64url");
  try {
    makeFolder(dirname(file), { mode: 0o700 });
    writePrivateFile(file, token);
  } catch (cause) {
    fail({
      code: "dashboard.token-unwritable",
      summary: `keeping the token of the dashboard in ${file}: ${(cause as Error).message}`,
      hint: "set XDG_STATE_HOME to a folder that you may write",
    });
  }
  return token;
}
