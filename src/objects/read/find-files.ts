import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { fileDiagnostic } from "./file-diagnostic.ts";
import { ignoreRulesAbove, ignoreRulesIn, type IgnoreRules, isIgnored } from "./ignore-rules.ts";

export interface FoundFiles {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const extensions = /\.(?:yaml|yml|json)$/;
/** What projects keep beside their objects; named by itself, such a file is read like any other. */
const settings = new Set(["keelson.json", "package.json", "package-lock.json", "tsconfig.json"]);
/** What package managers bring is somebody else's, with objects of its own as examples. */
const packages = new Set(["node_modules"]);
const mostNamed = 5;

/**
 * The files that a path stands for: itself, or the YAML and JSON files below a directory in the
 * byte order of their paths, the same on every machine. Hidden entries, the settings of projects, packages and what
 * ignore files name are left out, and linked directories are not entered, so that no loop can arise.
 */
export async function findFiles(path: string, mostFiles: number): Promise<FoundFiles> {
  const diagnostics: Diagnostic[] = [];
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], diagnostics };
  } catch (error) {
    return { files: [], diagnostics: [fileDiagnostic(path, error)] };
  }
  const files: string[] = [];
  const leftOut: string[] = [];
  const directories: { readonly folder: string; readonly above: readonly IgnoreRules[] }[] = [
    { folder: path, above: await ignoreRulesAbove(path) },
  ];
  for (let next = directories.pop(); next !== undefined; next = directories.pop()) {
    const { folder, above } = next;
    const entries = await list(folder, diagnostics);
    const rules = entries.some(({ name }) => name.endsWith("ignore"))
      ? [...above, ...(await ignoreRulesIn(folder))]
      : above;
    for (const entry of entries) {
      const child = join(folder, entry.name);
      if (entry.name.startsWith(".") || settings.has(entry.name)) continue;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !extensions.test(entry.name)) continue;
      if ((isDirectory && packages.has(entry.name)) || isIgnored(rules, child, isDirectory))
        leftOut.push(isDirectory ? `${child}/` : child);
      else if (isDirectory) directories.push({ folder: child, above: rules });
      else if (await isFile(child, entry)) files.push(child);
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
      hint: "Hidden files and directories are not read, nor what ignore files name.",
    });
  }
  if (leftOut.length > 0) diagnostics.push(ofLeftOut(path, leftOut.sort(byBytes)));
  return { files: files.sort(byBytes), diagnostics };
}

function ofLeftOut(path: string, leftOut: readonly string[]): Diagnostic {
  const names = leftOut.slice(0, mostNamed).map((each) => {
    const name = relative(path, each);
    return each.endsWith("/") ? `${name}/` : name;
  });
  const more = leftOut.length - names.length;
  return {
    code: "objects.left-out",
    severity: "warning",
    summary: `left out below ${path}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    hint: "packages and what .gitignore, .krmignore or .keelsonignore name are read only when they are named themselves",
  };
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
