import { isJsonObject, type JsonValue } from "../json/index.ts";

/** `!{name}` takes a value; `!!{` is the text `!{`. */
const token = /!!\{|!\{([^{}]*)\}/g;

/** The names that a text refers to. */
export function namesInText(text: string): readonly string[] {
  return [...text.matchAll(token)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The names that all texts in a value refer to; keys of maps are never references. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return namesInText(value);
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(namesIn) : [];
}

/**
 * A value with every reference replaced. One that is a whole text gives the value as it is; inside of a
 * longer text it gives text.
 */
export function withReferences(value: JsonValue, given: (name: string) => JsonValue): JsonValue {
  if (typeof value === "string") return filledText(value, given);
  if (Array.isArray(value)) return value.map((inner: JsonValue) => withReferences(inner, given));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      inner === undefined ? inner : withReferences(inner, given),
    ]),
  );
}

/** A value that has no form as text, where text is needed. */
export class NoTextError extends Error {
  constructor(reference: string) {
    super(`!{${reference}} is a list or a map, which cannot stand inside of a text`);
  }
}

function filledText(text: string, given: (name: string) => JsonValue): JsonValue {
  const whole = /^!\{([^{}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return given(whole);
  return text.replaceAll(token, (_found, name: string | undefined) => {
    if (name === undefined) return "!{";
    const value = given(name);
    if (typeof value === "object" && value !== null) throw new NoTextError(name);
    return String(value);
  });
}
