import { basename } from "node:path";
import { fail, nearest, shellWord, type SourceRange } from "../../diagnostics/index.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";

/** What any library of the Standard Schema specification gives, such as zod, valibot and arktype. */
export interface ConfigSchema<T> {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The values of keelson.json and of the file of the environment. */
export interface Config {
  /** A value that must be there; checked by a schema, if one is given. */
  require(this: void, name: string): JsonValue;
  require<T>(this: void, name: string, schema: ConfigSchema<T>): T;
  /** A value that may be missing. */
  get(this: void, name: string): JsonValue | undefined;
  get<T>(this: void, name: string, schema: ConfigSchema<T>): T | undefined;
}

/** The environment that the program is evaluated for. */
export interface Environment {
  /** `staging`, also of `staging:acmecorp`. */
  readonly name: string;
  /** `acmecorp` of `staging:acmecorp`. */
  readonly instance: string | undefined;
}

interface ConfigSettings {
  readonly env: string;
  readonly values: JsonObject;
  /** The file of the environment, whether it is there or not. */
  readonly file: string | undefined;
  readonly currentPlace: () => SourceRange | undefined;
}

let settings: ConfigSettings | undefined;

/** Prepares for one evaluation; a worker has no other. */
export function beginConfig(given: ConfigSettings): void {
  settings = given;
}

export const config: Config = {
  require: <T>(name: string, schema?: ConfigSchema<T>): JsonValue | T => {
    const value = valueOf(name);
    if (value === undefined) return failMissing(name);
    return schema === undefined ? value : checked(name, value, schema);
  },
  get: <T>(name: string, schema?: ConfigSchema<T>): JsonValue | T | undefined => {
    const value = valueOf(name);
    return schema === undefined || value === undefined ? value : checked(name, value, schema);
  },
};

export const env: Environment = {
  get name() {
    return current().env.split(":")[0] ?? "";
  },
  get instance() {
    return current().env.split(":")[1];
  },
};

function valueOf(name: string): JsonValue | undefined {
  const { values } = current();
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function checked<T>(name: string, value: JsonValue, schema: ConfigSchema<T>): T {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise)
    return fail({
      code: "program.bad-config",
      summary: `The schema of ${name} cannot tell at once whether a value is right`,
      hint: "Use a schema without asynchronous checks",
      source: current().currentPlace(),
    });
  if (result.issues === undefined) return result.value;
  const { env: environment } = current();
  return fail({
    code: "program.bad-config",
    summary: `The value ${name} in the environment ${environment} is not what the program takes`,
    detail: result.issues.map((issue) => `${pathOf(name, issue)}: ${issue.message}`).join("\n"),
    hint: `\`keelson config get ${shellWord(name)} --env ${shellWord(environment)}\` says where it comes from, and \`keelson config set\` changes it`,
    source: current().currentPlace(),
  });
}

function pathOf(name: string, { path = [] }: SchemaIssue): string {
  const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
  return [name, ...steps].join(".");
}

function failMissing(name: string): never {
  const { env: environment, values, file, currentPlace } = current();
  const near = nearest(name, Object.keys(values));
  return fail({
    code: "program.missing-config",
    summary: `The value ${name} is not set in the environment ${environment}`,
    detail: near === undefined ? undefined : `There is a value ${near}.`,
    hint: `\`keelson config set ${shellWord(name)} VALUE --env ${shellWord(environment)}\` writes it into ${file === undefined ? "keelson.json" : basename(file)}`,
    source: currentPlace(),
  });
}

function current(): ConfigSettings {
  if (settings === undefined) throw new Error("this is for programs that keelson evaluates");
  return settings;
}
