import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { goAdvice } from "../cluster/binaries.ts";
import { ensureGo } from "../cluster/go-toolchain.ts";
import type { CorpusModule } from "./modules.ts";

/** The folder with the files of a module, downloaded where it is not there yet. */
export async function moduleFolder({ module, version, sum }: CorpusModule): Promise<string> {
  const go = await ensureGo((line) => console.log(line));
  if (go === undefined) throw new Error(`${module} needs Go. ${goAdvice}`);
  const unlisted = sum === undefined ? {} : { GONOSUMDB: module };
  const { stdout } = await promisify(execFile)(
    go,
    ["mod", "download", "-json", `${module}@${version}`],
    { cwd: tmpdir(), env: { ...process.env, ...unlisted, GOFLAGS: "-mod=mod" } },
  );
  const { Dir, Sum } = JSON.parse(stdout) as { readonly Dir?: string; readonly Sum?: string };
  if (Dir === undefined) throw new Error(`${module}@${version} was not downloaded: ${stdout}`);
  if (sum !== undefined && Sum !== sum)
    throw new Error(`${module}@${version} has the checksum ${Sum ?? "none"}, not ${sum}`);
  return Dir;
}
