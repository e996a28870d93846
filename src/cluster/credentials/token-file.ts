import { readFile } from "node:fs/promises";
import { fail } from "../../diagnostics/index.ts";
import type { Timing } from "../timing.ts";
import { errorCode } from "../transport/connection-error.ts";
import type { Credentials } from "./credentials.ts";

/** Kubernetes renews the tokens of pods long before they expire, and asks to look once a minute. */
const readAgainAfterMs = 60_000;

/** A bearer token in a file that somebody else keeps fresh. */
export function tokenFileCredentials(file: string, timing: Timing): Credentials {
  let token: string | undefined;
  let readAtMs = 0;
  const read = async (): Promise<string> => {
    token = await readToken(file, token);
    readAtMs = timing.now();
    return token;
  };
  return {
    async authorization() {
      const fresh = token !== undefined && timing.now() - readAtMs < readAgainAfterMs;
      return `Bearer ${fresh ? token : await read()}`;
    },
    certificate: () => Promise.resolve(undefined),
    async renew() {
      const before = token;
      return (await read()) !== before;
    },
  };
}

/** While the file is being replaced it may be missing or empty: then the last token serves on. */
async function readToken(file: string, last: string | undefined): Promise<string> {
  try {
    const token = (await readFile(file, "utf8")).trim();
    if (token !== "") return token;
    if (last !== undefined) return last;
  } catch (error) {
    if (last !== undefined) return last;
    return fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `the token file ${file} cannot be read (${errorCode(error)})`,
      cause: error,
    });
  }
  return fail({
    code: "cluster.kubeconfig-incomplete",
    summary: `the token file ${file} is empty`,
  });
}
