import { fail, nearest } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject } from "../../json/index.ts";

interface Setting {
  readonly kind: "text" | "texts" | "values";
  readonly description: string;
  readonly examples: readonly (string | readonly string[] | JsonObject)[];
  /** Whether the file of an environment may say it, too. */
  readonly isOfEnvironment?: boolean;
  /** What the text looks like beyond not being empty. */
  readonly pattern?: string;
}

const environmentPart = "[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?";

/** An environment: one name, or two with ":" between them. */
export const environmentPattern = `^${environmentPart}(?::${environmentPart})?$`;

/** Every setting of keelson.json. The reader and schema/keelson.schema.json are both made of this list. */
export const projectSettings: Readonly<Record<string, Setting>> = {
  $schema: {
    kind: "text",
    description: "Where editors find the schema of this file.",
    examples: ["./node_modules/keelson/schema/keelson.schema.json"],
  },
  project: {
    kind: "text",
    description: "The name of the project. Without it the name in package.json is used.",
    examples: ["shop"],
  },
  env: {
    kind: "text",
    description:
      "The environment that is used without --env: a name, or two names as in staging:acmecorp. The default is dev.",
    examples: ["dev"],
    pattern: environmentPattern,
  },
  namespace: {
    kind: "text",
    description: "The Kubernetes namespace of objects that name none.",
    examples: ["shop"],
    isOfEnvironment: true,
  },
  values: {
    kind: "values",
    description:
      "What the program reads by config.require(name). keelson.<env>.json beside this file has those of an environment.",
    examples: [{ replicas: 2 }],
    isOfEnvironment: true,
  },
  main: {
    kind: "text",
    description: "The program, as a path relative to this file.",
    examples: ["src/shop.ts"],
  },
  allowedContexts: {
    kind: "texts",
    description: "Contexts of the kubeconfig, beside local ones, that `keelson up` may use.",
    examples: [["team-dev"]],
  },
};

/** The settings that keelson.<env>.json may have. */
const environmentSettings = Object.fromEntries(
  Object.entries(projectSettings).filter(
    ([name, { isOfEnvironment }]) => name === "$schema" || isOfEnvironment === true,
  ),
);

/**
 * Refuses settings that keelson.json, or the file of an environment, cannot have. What an environment looks like is
 * checked where it is used.
 */
export function checkSettings(
  settings: JsonObject,
  file: string,
  kind: "project" | "environment" = "project",
): void {
  const known = kind === "project" ? projectSettings : environmentSettings;
  for (const [name, value] of Object.entries(settings)) {
    const setting = Object.hasOwn(known, name) ? known[name] : undefined;
    if (setting === undefined) return failUnknown(name, file, Object.keys(known));
    if (setting.kind === "values" && !isJsonObject(value))
      fail({
        code: "program.project",
        summary: `"${name}" in ${file} must be an object`,
        hint: `Write for example ${exampleOf(name, setting)}`,
      });
    if (setting.kind === "texts" && !isTexts(value))
      fail({
        code: "program.project",
        summary: `"${name}" in ${file} must be a list of names of contexts`,
        hint: `Write for example ${exampleOf(name, setting)}`,
      });
    if (setting.kind === "text" && (typeof value !== "string" || value === ""))
      fail({
        code: "program.project",
        summary: `"${name}" in ${file} must be a text that is not empty`,
        hint: `Write for example ${exampleOf(name, setting)}`,
      });
  }
}

function failUnknown(name: string, file: string, known: readonly string[]): never {
  const near = nearest(name, known);
  return fail({
    code: "program.project",
    summary: `${file} has no setting "${name}"`,
    detail: `Its settings are ${known.join(", ")}.`,
    hint: near === undefined ? "Remove it." : `Write "${near}" instead.`,
  });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function exampleOf(name: string, { examples }: Setting): string {
  return `{ ${JSON.stringify(name)}: ${JSON.stringify(examples[0])} }`;
}
