import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";
import { tagWords } from "../cartographer/words.ts";
import { evaluatePath } from "../requirements/evaluate-path.ts";

export type Interpolated =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "problem"; readonly message: string };

export interface InterpolateOptions {
  /** What stands for a path that leads to something that is not known yet. */
  readonly placeholder?: ((path: string) => string | undefined) | undefined;
  /** Whether problems are said as Cartographer says them. */
  readonly isCartographer?: boolean | undefined;
}

/** Replaces every `$(path)$` in the texts of a template by what the path finds in a context. */
export function interpolate(
  template: JsonValue,
  context: JsonObject,
  options: InterpolateOptions = {},
): Interpolated {
  try {
    return { kind: "value", value: replaceIn(template, context, options, "") };
  } catch (error) {
    if (!(error instanceof TagError)) throw error;
    return { kind: "problem", message: error.message };
  }
}

/** The paths of all tags in the texts of a template, with where each stands. */
export function tagsOf(
  template: JsonValue,
  place = "",
): readonly { readonly path: string; readonly place: string }[] {
  if (typeof template === "string")
    return [...template.matchAll(tag)].map((match) => ({ path: match[1] ?? "", place }));
  if (Array.isArray(template))
    return template.flatMap((item, index) => tagsOf(item, `${place}[${index}]`));
  if (!isJsonObject(template)) return [];
  return Object.entries(template).flatMap(([key, value]) => tagsOf(value, joined(place, key)));
}

/** Carries one message out of the recursion; never leaves this file. */
class TagError extends Error {}

// No tag begins within another: what a shell makes of `$(date)` is left alone.
const tag = /\$\(((?:(?!\$\().)*?)\)\$/gs;
const wholeTag = /^\$\(((?:(?!\$\().)*)\)\$$/s;

function replaceIn(
  value: JsonValue,
  context: JsonObject,
  options: InterpolateOptions,
  place: string,
): JsonValue {
  if (typeof value === "string") return replaceTags(value, context, options, place);
  if (Array.isArray(value))
    return value.map((item, index) =>
      replaceIn(item, context, options, indexed(place, index, options)),
    );
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      replaceIn(each, context, options, joined(place, key, options)),
    ]),
  );
}

/** A text that is one tag takes on the value with its type; within a text every value is text. */
function replaceTags(
  text: string,
  context: JsonObject,
  options: InterpolateOptions,
  place: string,
): JsonValue {
  const whole = wholeTag.exec(text)?.[1];
  if (whole !== undefined) return lookUp({ path: whole, place, isWhole: true }, context, options);
  return text.replaceAll(tag, (_match, path: string) => {
    const value = lookUp({ path, place, isWhole: false }, context, options);
    if (value === null)
      throw new TagError(
        options.isCartographer === true
          ? tagWords(path, place, false, { kind: "null" })
          : `at ${place}: $(${path})$ leads to null, which is no text`,
      );
    return typeof value === "string" ? value : stringifyJson(value);
  });
}

/** A tag, and where it stands. */
interface Tag {
  readonly path: string;
  readonly place: string;
  /** Whether it is all of its text. */
  readonly isWhole: boolean;
}

function lookUp(
  { path, place, isWhole }: Tag,
  context: JsonObject,
  { placeholder, isCartographer = false }: InterpolateOptions,
): JsonValue {
  const unknown = placeholder?.(path);
  if (unknown !== undefined) return unknown;
  const found = evaluatePath(path, context);
  if (isCartographer && found.kind !== "value")
    throw new TagError(tagWords(path, place, isWhole, found));
  switch (found.kind) {
    case "value":
      return found.value;
    case "missing":
      throw new TagError(`at ${place}: $(${path})$ leads nowhere`);
    case "several":
      throw new TagError(
        `at ${place}: $(${path})$ leads to ${found.count} values, and must lead to one`,
      );
    case "unreadable":
      throw new TagError(`at ${place}: ${found.message}`);
  }
}

function joined(place: string, key: string, { isCartographer }: InterpolateOptions = {}): string {
  if (place === "") return key;
  // Cartographer has its dot before an index, not after it.
  return isCartographer === true && place.endsWith("]") ? `${place}${key}` : `${place}.${key}`;
}

function indexed(place: string, index: number, { isCartographer }: InterpolateOptions): string {
  const dot = isCartographer === true && place !== "" && !place.endsWith("]") ? "." : "";
  return `${place}${dot}[${index}]`;
}
