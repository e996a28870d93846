import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { EngineHost } from "../host.ts";

/** The directory of an input. */
export async function folderOf(host: EngineHost, input: string): Promise<string> {
  if (input === "-") return host.workingDirectory;
  const path = resolve(host.workingDirectory, input);
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? path : dirname(path);
}
