import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { isJsonObject } from "../../objects/json.ts";
import { mainFiles } from "./main-files.ts";
import type { JsonObject } from "../../objects/index.ts";

/** What is known of a program before it runs. */
export interface Project {
  readonly name: string;
  /** The module that is evaluated, as an absolute path. */
  readonly main: string;
  readonly env: string;
  /** The Kubernetes namespace of objects without one, if the project sets it. */
  readonly namespace?: string | undefined;
  /** The files that said so. */
  readonly files: readonly string[];
}

export interface ProjectOptions {
  /** A program, or the directory of one. */
  readonly path: string;
  /** What the command line says; it wins over the files. */
  readonly env?: string | undefined;
  readonly project?: string | undefined;
}

const defaultEnvironment = "dev";

/** Finds out what a path means: the program, its project and its environment. */
export function readProject(options: ProjectOptions): Project {
  const path = realPath(options.path);
  const isDirectory = statSync(path).isDirectory();
  const folder = isDirectory ? path : dirname(path);
  const settingsFile = findUpwards(folder, "keelson.json");
  const settings = settingsFile === undefined ? {} : checkedSettings(settingsFile);
  const packageFile = findUpwards(folder, "package.json");
  const manifest = packageFile === undefined ? {} : readSettings(packageFile);
  const name = options.project ?? textOf(settings, "project") ?? textOf(manifest, "name");
  if (name === undefined) return failWithoutName(options.path);
  const namespace = textOf(settings, "namespace");
  return {
    name,
    main: isDirectory ? mainOf(path, settingsFile, settings, manifest) : path,
    env: checkEnvironment(options.env ?? textOf(settings, "env") ?? defaultEnvironment),
    ...(namespace === undefined ? {} : { namespace }),
    files: [settingsFile, packageFile].filter((file) => file !== undefined),
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch (cause) {
    return fail({
      code: "program.missing",
      summary: `There is no program at ${path}`,
      hint: "Name a .ts, .js or .mjs file, or a directory with keelson.json or package.json",
      cause,
    });
  }
}

/** The nearest file of a name in a folder or above it. */
export function findUpwards(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, name);
    if (existsSync(file)) return file;
    if (dirname(at) === at) return undefined;
  }
}

function readSettings(file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    return fail({
      code: "program.project",
      summary: `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: "Correct the JSON of the file",
      cause,
    });
  }
  if (isJsonObject(value)) return value;
  return fail({
    code: "program.project",
    summary: `${file} must hold an object`,
    hint: 'Write for example { "project": "shop" }',
  });
}

const settingNames = ["project", "env", "namespace", "main"];

/** The settings of keelson.json, each of which is a text. */
function checkedSettings(file: string): JsonObject {
  const settings = readSettings(file);
  const wrong = settingNames.find(
    (name) => settings[name] !== undefined && textOf(settings, name) === undefined,
  );
  if (wrong === undefined) return settings;
  return fail({
    code: "program.project",
    summary: `"${wrong}" in ${file} must be a text that is not empty`,
    hint: `Write for example { "${wrong}": "shop" }`,
  });
}

function textOf(settings: JsonObject, key: string): string | undefined {
  const value = settings[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function mainOf(
  folder: string,
  settingsFile: string | undefined,
  settings: JsonObject,
  manifest: JsonObject,
): string {
  const named = textOf(settings, "main");
  const base = settingsFile === undefined ? folder : dirname(settingsFile);
  const candidates =
    named === undefined
      ? [...mainFiles, ...[textOf(manifest, "main") ?? []].flat()].map((name) => join(folder, name))
      : [join(base, named)];
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  return fail({
    code: "program.missing",
    summary:
      named === undefined
        ? `There is no program in ${folder}: no main.ts, index.ts or the like`
        : `${settingsFile} names the program ${named}, which is not there`,
    hint: 'Write main.ts, or name the program in keelson.json: { "main": "src/shop.ts" }',
  });
}

const environmentPattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** An environment, or an environment and a namespace of its own. */
function checkEnvironment(env: string): string {
  const parts = env.split(":");
  if (parts.length <= 2 && parts.every((part) => environmentPattern.test(part))) return env;
  return fail({
    code: "program.environment",
    summary: `The environment ${JSON.stringify(env)} cannot be part of names`,
    detail: 'It is one name, or two with ":" between them, of letters, digits, "-", "_" and ".".',
    hint: "Use for example --env staging or --env staging:acmecorp",
  });
}

function failWithoutName(path: string): never {
  return fail({
    code: "program.project",
    summary: `The program ${path} has no project name`,
    detail:
      "The name comes from keelson.json, else from package.json, beside the program or above it.",
    hint: 'Write a keelson.json beside it: { "project": "shop" }',
  });
}
