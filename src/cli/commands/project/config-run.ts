import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fail, nearest, safeLine } from "../../../diagnostics/index.ts";
import { folderOf } from "../../../engine/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "../../../json/index.ts";
import {
  environmentFiles,
  environmentOf,
  findProject,
  type FoundProject,
  inEnvironment,
} from "../../../sources/program/find-project.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { hostOf } from "../../host-of.ts";
import { tableLines } from "../../views/table-lines.ts";
import type { ConfigGetFlags, ConfigSetFlags } from "./config.ts";

export const runConfigGet: CommandHandler<ConfigGetFlags, [string?]> = async (
  context,
  flags,
  name,
) => {
  const { stdout } = context.process;
  const found = await projectOf(context, flags.source);
  const env = environmentOf(flags.env, found);
  const { values } = inEnvironment(found, env);
  if (name !== undefined) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return failMissing(name, env, Object.keys(values));
    stdout.write(`${flags.output === "json" ? stringifyJson(value) : textOf(value)}\n`);
    return exitCode.success;
  }
  if (flags.output === "json") {
    stdout.write(`${stringifyJson(values)}\n`);
    return exitCode.success;
  }
  const files = [found.settingsFile, ...environmentFiles(found, env)].filter(
    (file) => file !== undefined,
  );
  const rows = Object.keys(values)
    .toSorted()
    .map((each) => [each, safeLine(textOf(values[each] ?? null)), sayerOf(each, files)]);
  if (rows.length === 0) stdout.write(`there are no values in the environment ${env}\n`);
  else
    for (const line of tableLines([["NAME", "VALUE", "FROM"], ...rows])) stdout.write(`${line}\n`);
  return exitCode.success;
};

export const runConfigSet: CommandHandler<ConfigSetFlags, [string, string]> = async (
  context,
  flags,
  name,
  text,
) => {
  const found = await projectOf(context, flags.source);
  const env = environmentOf(flags.env, found);
  const file = flags.everywhere ? found.settingsFile : environmentFiles(found, env).at(-1);
  if (file === undefined)
    return fail({
      code: "cli.no-project",
      summary: "there is no keelson.json for values of every environment",
      hint: 'write {"project": "shop"} into keelson.json',
    });
  // What is wrong with the files is said before anything is written.
  inEnvironment(found, env);
  const settings = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : {};
  const known = isJsonObject(settings) ? settings : {};
  const values = isJsonObject(known["values"]) ? known["values"] : {};
  const value = flags.text ? text : valueOf(text);
  const next = { ...known, values: { ...values, [name]: value } };
  writeFileSync(file, `${JSON.stringify(next, undefined, 2)}\n`);
  context.process.stdout.write(
    `${context.style.stdout.green("✓")} ${name} is ${safeLine(textOf(value))} in ${basename(file)}\n`,
  );
  return exitCode.success;
};

async function projectOf(context: CliContext, source: string): Promise<FoundProject> {
  const found = findProject(await folderOf(hostOf(context), source));
  if (found.name !== undefined) return found;
  return fail({
    code: "cli.no-project",
    summary: "nothing says which project this is, so it has no values",
    hint: 'write {"project": "shop"} into keelson.json beside the program',
  });
}

/** The file whose word counts for a value. */
function sayerOf(name: string, files: readonly string[]): string {
  const file = files.findLast((each) => {
    const settings = existsSync(each) ? parseJson(readFileSync(each, "utf8")) : undefined;
    const values = isJsonObject(settings) ? settings["values"] : undefined;
    return isJsonObject(values) && Object.hasOwn(values, name);
  });
  return file === undefined ? "" : basename(file);
}

function valueOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

function failMissing(name: string, env: string, names: readonly string[]): never {
  const near = nearest(name, names);
  return fail({
    code: "program.missing-config",
    summary: `The value ${name} is not set in the environment ${env}`,
    detail: near === undefined ? undefined : `There is a value ${near}.`,
    hint: "`keelson config set NAME VALUE` sets one, and `keelson config get` lists all of them",
  });
}
