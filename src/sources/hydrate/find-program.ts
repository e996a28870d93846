import { delimiter, isAbsolute, join } from "node:path";
import type { FileAccess } from "./file-access.ts";

/** Where a program is, by the PATH of an environment; undefined when it is not there. */
export function findProgram(
  name: string,
  environment: Readonly<Record<string, string>>,
  files: FileAccess,
): string | undefined {
  if (isAbsolute(name)) return files.kindOf(name) === "file" ? name : undefined;
  return (environment["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((path) => files.kindOf(path) === "file");
}
