import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import type { JsonObject } from "../../json/index.ts";
import {
  environmentFiles,
  environmentOf,
  findProject,
  type FoundProject,
  inEnvironment,
} from "./find-project.ts";
import { mainFiles } from "./main-files.ts";

/** What is known of a program before it runs. */
export interface ProgramProject {
  readonly name: string;
  /** The module that is evaluated, as an absolute path. */
  readonly main: string;
  readonly env: string;
  /** The Kubernetes namespace of objects without one, if the project sets it. */
  readonly namespace?: string | undefined;
  /** What the program reads by name. */
  readonly values: JsonObject;
  /** Where the values of the environment are, or would be. */
  readonly environmentFile: string | undefined;
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

/** Finds out what a path means: the program, its project and its environment. */
export function readProgramProject(options: ProjectOptions): ProgramProject {
  const path = realPath(options.path);
  const isDirectory = statSync(path).isDirectory();
  const folder = isDirectory ? path : dirname(path);
  const found = findProject(folder);
  const env = environmentOf(options.env, found);
  const name = options.project ?? found.name;
  if (name === undefined) return failWithoutName(options.path);
  const { namespace, values, files } = inEnvironment(found, env);
  return {
    name,
    main: isDirectory ? mainOf(path, found) : path,
    env,
    values,
    environmentFile: environmentFiles(found, env).at(-1),
    ...(namespace === undefined ? {} : { namespace }),
    files,
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

function mainOf(folder: string, { main, packageMain, settingsFile }: FoundProject): string {
  const candidates =
    main === undefined
      ? [...mainFiles, ...(packageMain === undefined ? [] : [packageMain])].map((name) =>
          join(folder, name),
        )
      : [main];
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  return fail({
    code: "program.missing",
    summary:
      main === undefined
        ? `There is no program in ${folder}: no main.ts, index.ts or the like`
        : `${settingsFile} names the program ${relative(dirname(settingsFile ?? folder), main)}, which is not there`,
    hint: 'Write main.ts, or name the program in keelson.json: { "main": "src/shop.ts" }',
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
