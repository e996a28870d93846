import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { fileDiagnostic } from "./file-diagnostic.ts";

export interface FoundFiles {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const extensions = /\.(?:yaml|yml|json)$/;
/** What projects keep beside their objects; named by itself, such a file is read like any other. */
const settings = new Set(["keelson.json", "package.json", "package-lock.json", "tsconfig.json"]);

/**
 * The files that a path stands for: itself, or the YAML and JSON files below a directory in the
 * byte order of their paths, the same on every machine. Hidden entries and the settings of projects are left out, and linked
 * directories are not entered, so that no loop can arise.
 */
export async function findFiles(path: string, mostFiles: number): Promise<FoundFiles> {
  const diagnostics: Diagnostic[] = [];
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], diagnostics };
  } catch (error) {
    return { files: [], diagnostics: [fileDiagnostic(path, error)] };
  }
  const files: string[] = [];
  const directories = [path];
  for (let next = directories.pop(); next !== undefined; next = directories.pop()) {
    for (const entry of await list(next, diagnostics)) {
      const child = join(next, entry.name);
      if (entry.name.startsWith(".") || settings.has(entry.name)) continue;
      if (entry.isDirectory()) directories.push(child);
      else if (extensions.test(entry.name) && (await isFile(child, entry))) files.push(child);
    }
    if (files.length > mostFiles) {
      diagnostics.push({
        code: "objects.input-too-large",
        severity: "error",
        summary: `${path} holds more than ${mostFiles} files`,
        hint: "Name the directories that are meant.",
      });
      return { files: [], diagnostics };
    }
  }
  if (files.length === 0 && diagnostics.length === 0) {
    diagnostics.push({
      code: "objects.directory-empty",
      severity: "error",
      summary: `the directory ${path} holds no .yaml, .yml or .json file`,
      hint: "Hidden files and directories are not read.",
    });
  }
  return { files: files.sort(byBytes), diagnostics };
}

async function list(directory: string, diagnostics: Diagnostic[]): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    diagnostics.push(fileDiagnostic(directory, error));
    return [];
  }
}

// Links to files are followed: a mounted ConfigMap is made of them. A dangling one is reported later.
async function isFile(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return (await stat(path)).isFile();
  } catch {
    return true;
  }
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
