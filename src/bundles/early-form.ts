import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../json/index.ts";

/**
 * `{{resource#path}}`, as Smith wrote references before they had names; with `:bindsecret` the value is in
 * the Secret of a binding, and after another `#` stands an example as JSON.
 */
const token =
  /\{\{(?<resource>[-a-z0-9]+)(?::(?<modifier>bindsecret))?#(?<path>(?:(?!\}\}|#).)+)(?:#(?<example>(?:(?!\}\}).)+))?\}\}/g;

/** A resource in the form of today. */
export interface PresentResource {
  readonly value: JsonObject;
  /** Whether its spec is the object itself, without the field `object`. */
  readonly isBare: boolean;
}

/** A resource of a bundle as Smith's first bundles have it: its spec is the object, and its texts name their sources. */
export function presentForm(value: JsonObject): PresentResource {
  const { spec } = value;
  const isBare = isJsonObject(spec) && isBareObject(spec);
  const wrapped = isBare ? { ...value, spec: { object: spec } } : value;
  return { value: withReferences(wrapped), isBare };
}

function isBareObject(spec: JsonObject): boolean {
  return (
    spec["object"] === undefined &&
    spec["plugin"] === undefined &&
    typeof spec["apiVersion"] === "string" &&
    typeof spec["kind"] === "string"
  );
}

/** Only what the resource depends on is a source; anything else in double braces is text of somebody else. */
function withReferences(value: JsonObject): JsonObject {
  const { dependsOn, spec } = value;
  if (!Array.isArray(dependsOn) || value["references"] !== undefined || spec === undefined)
    return value;
  const references = new Map<string, JsonObject>();
  const names = new Map<string, string>();
  const named = replaceTexts(spec, (text) =>
    text.replaceAll(token, (found, ...rest) => {
      const groups = rest.at(-1) as Readonly<Partial<Record<string, string>>>;
      const { resource = "", modifier, path = "", example } = groups;
      if (!dependsOn.includes(resource)) return found;
      const name = names.get(found) ?? `${resource}-${names.size + 1}`;
      names.set(found, name);
      references.set(found, {
        name,
        resource,
        path: modifier === undefined ? pathOf(path) : `data.${path.replace(/^[Dd]ata\./, "")}`,
        ...(modifier === undefined ? {} : { modifier }),
        ...(example === undefined ? {} : { example: exampleOf(example) }),
      });
      return `!{${name}}`;
    }),
  );
  if (references.size === 0) return value;
  return { ...value, spec: named, references: [...references.values()] };
}

/** Paths were written with slashes at first. */
function pathOf(path: string): string {
  return /^[\w/-]+$/.test(path) ? path.replaceAll("/", ".") : path;
}

function exampleOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function replaceTexts(value: JsonValue, replace: (text: string) => string): JsonValue {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((each: JsonValue) => replaceTexts(each, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      each === undefined ? each : replaceTexts(each, replace),
    ]),
  );
}
