import type { JsonObject } from "../src/json/index.ts";
import { projectSettings } from "../src/sources/program/project-settings.ts";

/** The JSON schema of keelson.json; draft 7 is what every editor knows. */
export function projectSchema(): JsonObject {
  const properties: JsonObject = {};
  for (const [name, { kind, description, examples, pattern }] of Object.entries(projectSettings))
    properties[name] = {
      description,
      ...(kind === "text"
        ? { type: "string", minLength: 1, ...(pattern === undefined ? {} : { pattern }) }
        : kind === "texts"
          ? { type: "array", items: { type: "string" } }
          : { type: "object" }),
      examples: examples.map((example) => (isList(example) ? [...example] : example)),
    };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "keelson.json",
    description: "The settings of a Keelson project.",
    type: "object",
    properties,
    additionalProperties: false,
  };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
