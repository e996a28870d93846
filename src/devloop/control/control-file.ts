import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, stateFolder } from "../../processes/index.ts";
import { writePrivateFile } from "../../processes/private-file.ts";

/** How to reach the dev loop of a project; readable by its user only. */
export interface ControlAddress {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
}

/** Where the dev loops of a user are noted, of which `HOME` and `XDG_STATE_HOME` decide. */
export function controlFolder(env: Readonly<Partial<Record<string, string>>>): string {
  return stateFolder(env, "up");
}

export function writeControlFile(folder: string, name: string, address: ControlAddress): void {
  makeFolder(folder, { mode: 0o700 });
  writePrivateFile(fileOf(folder, name), JSON.stringify(address));
}

export function removeControlFile(folder: string, name: string): void {
  rmSync(fileOf(folder, name), { force: true });
}

/** Who was the last to be noted for a project; a killed one leaves its note behind. */
export function readControlFile(folder: string, name: string): ControlAddress | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder, name), "utf8")) as ControlAddress;
  } catch {
    return undefined;
  }
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.json`);
}
