import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject } from "../../json/index.ts";
import { checkSettings, environmentPattern } from "./project-settings.ts";

/** What keelson.json and package.json say of a folder. */
export interface FoundProject {
  readonly name: string | undefined;
  readonly env: string | undefined;
  /** The Kubernetes namespace of objects that name none. */
  readonly namespace: string | undefined;
  /** The program that keelson.json names, as an absolute path. */
  readonly main: string | undefined;
  /** The file that package.json calls its main one. */
  readonly packageMain: string | undefined;
  readonly settingsFile: string | undefined;
  /** Contexts beside local ones that a dev loop may use. */
  readonly allowedContexts: readonly string[];
  /** What the program reads by name. */
  readonly values: JsonObject;
  /** The files that said so. */
  readonly files: readonly string[];
}

/** The project that a folder belongs to: keelson.json and package.json, each the nearest from it upwards. */
export function findProject(folder: string): FoundProject {
  const settingsFile = findUpwards(folder, "keelson.json");
  const settings = settingsFile === undefined ? {} : checkedSettings(settingsFile);
  const packageFile = findUpwards(folder, "package.json");
  const manifest = packageFile === undefined ? {} : readSettings(packageFile);
  const main = textOf(settings, "main");
  return {
    name: textOf(settings, "project") ?? textOf(manifest, "name"),
    env: textOf(settings, "env"),
    namespace: textOf(settings, "namespace"),
    main:
      main === undefined || settingsFile === undefined
        ? undefined
        : join(dirname(settingsFile), main),
    packageMain: textOf(manifest, "main"),
    settingsFile,
    allowedContexts: textsOf(settings, "allowedContexts"),
    values: valuesOf(settings),
    files: [settingsFile, packageFile].filter((file) => file !== undefined),
  };
}

/**
 * The project as it is in an environment: what keelson.staging.json says wins over keelson.json, and of the
 * environment `staging:acmecorp` what keelson.staging.acmecorp.json says over both.
 */
export function inEnvironment(found: FoundProject, env: string): FoundProject {
  return environmentFiles(found, env)
    .filter((file) => existsSync(file))
    .reduce((project, file) => {
      const settings = checkedSettings(file, "environment");
      return {
        ...project,
        namespace: textOf(settings, "namespace") ?? project.namespace,
        values: { ...project.values, ...valuesOf(settings) },
        files: [...project.files, file],
      };
    }, found);
}

/** The files of an environment, whether they are there or not; each wins over the one before. */
export function environmentFiles({ settingsFile, files }: FoundProject, env: string): string[] {
  const beside = settingsFile ?? files[0];
  if (beside === undefined) return [];
  const parts = env.split(":");
  return parts.map((_, index) =>
    join(dirname(beside), `keelson.${parts.slice(0, index + 1).join(".")}.json`),
  );
}

const defaultEnvironment = "dev";

/** The environment: what the command line says, else the project; maybe with a namespace of its own. */
export function environmentOf(given: string | undefined, { env: own }: FoundProject): string {
  const env = given ?? own ?? defaultEnvironment;
  if (new RegExp(environmentPattern).test(env)) return env;
  return fail({
    code: "program.environment",
    summary: `The environment ${JSON.stringify(env)} cannot be part of names`,
    detail: 'It is one name, or two with ":" between them, of letters, digits, "-", "_" and ".".',
    hint: "Use for example --env staging or --env staging:acmecorp",
  });
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

function checkedSettings(file: string, kind?: "project" | "environment"): JsonObject {
  const settings = readSettings(file);
  checkSettings(settings, file, kind);
  return settings;
}

function valuesOf(settings: JsonObject): JsonObject {
  const { values } = settings;
  return isJsonObject(values) ? values : {};
}

function textsOf(settings: JsonObject, key: string): readonly string[] {
  const value = settings[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function textOf(settings: JsonObject, key: string): string | undefined {
  const value = settings[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
