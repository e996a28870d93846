/** The command of go.starlark.net, which every program must agree with. */
import { spawn } from "node:child_process";
import { ensureProgram, type GoProgram, hasPrograms } from "../cluster/binaries.ts";

const program: GoProgram = {
  name: "starlark",
  module: "starlark",
  package: "go.starlark.net/cmd/starlark",
  version: "v0.0.0-20260908191801-89a6a09411d5",
};

/** The dialect that Tilt chooses. */
const dialect = ["-recursion", "-globalreassign", "-set"];
const longestRunMs = 20_000;

export function hasOracle(): boolean {
  return hasPrograms([program]);
}

export async function ensureOracle(): Promise<string> {
  return await ensureProgram(program, (line) => console.log(line));
}

/**
 * What a program prints, and the error it ends with: both go to the standard error output. Undefined when
 * it does not come to an end.
 */
export function runOracle(binary: string, text: string, folder = "."): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...dialect, "-c", text], {
      cwd: folder,
      env: { ...process.env, TZ: "UTC" },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: longestRunMs,
    });
    const chunks: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (_status, signal) => {
      resolve(signal === null ? Buffer.concat(chunks).toString("utf8") : undefined);
    });
  });
}
