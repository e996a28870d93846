import {
  decodeText,
  EvaluationError,
  show,
  StarlarkDict,
  typeName,
  type Convert,
  type Value,
} from "../starlark/index.ts";
import { Blob } from "./values/blob.ts";

/** The elements of a list, tuple or set; a single value counts as a list of one, None as none. */
export function itemsOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  const iterator =
    typeof value === "object" && !(value instanceof StarlarkDict) ? value.iterate() : undefined;
  if (iterator === undefined) return [value];
  const items: Value[] = [];
  try {
    for (let item = iterator.next(); item !== undefined; item = iterator.next()) items.push(item);
  } finally {
    iterator.done();
  }
  return items;
}

function wanted(value: Value, what: string): never {
  throw new EvaluationError(`got ${typeName(value)}, want ${what}`);
}

/** A string, or the content of a blob. */
export const textOrBlob: Convert<string> = (value) => {
  if (value instanceof Blob) return value.text;
  return typeof value === "string" ? decodeText(value) : wanted(value, "string or blob");
};

/** One string or several. */
export const texts: Convert<readonly string[]> = (value) =>
  itemsOf(value).map((item) =>
    typeof item === "string" ? decodeText(item) : wanted(item, "string or list of strings"),
  );

/** Patterns of files, one or several: each is a line of an ignore file. */
export const filePatterns: Convert<readonly string[]> = (value) => {
  const patterns = texts(value);
  const broken = patterns.find((pattern) => /[\r\n]/.test(pattern));
  if (broken === undefined) return patterns;
  throw new EvaluationError(`${JSON.stringify(broken)} has a line break; give a list of patterns`);
};

/** Several strings; a single one is most likely a mistake. */
export const textList: Convert<readonly string[]> = (value) =>
  typeof value === "string" ? wanted(value, "list of strings") : texts(value);

/** A dict from strings to strings; numbers and booleans count as what they are printed as. */
export const textDict: Convert<Readonly<Record<string, string>>> = (value) => {
  if (value === null) return {};
  if (!(value instanceof StarlarkDict)) return wanted(value, "dict of strings");
  return Object.fromEntries(
    value.entries().map(([key, item]) => {
      if (typeof key !== "string") return wanted(key, "string as key");
      return [decodeText(key), itemText(item, decodeText(key))];
    }),
  );
};

function itemText(value: Value, key: string): string {
  if (value instanceof Blob) return value.text;
  if (typeof value === "string") return decodeText(value);
  if (typeof value === "number" || typeof value === "boolean") return show(value);
  throw new EvaluationError(`got ${typeName(value)} for ${key}, want string`);
}

/** A command: text runs in a shell, a list is a program and its arguments. Empty means none. */
export const commandLine: Convert<readonly string[]> = (value) => {
  if (value === null) return [];
  if (typeof value === "string" || value instanceof Blob) {
    const text = textOrBlob(value);
    return text === "" ? [] : ["sh", "-c", text];
  }
  return textList(value);
};

/** A path, as a string or as what `local_git_repo` gives. */
export const pathText: Convert<string> = (value) => {
  if (typeof value === "string") return decodeText(value);
  const path =
    typeof value === "object" && value !== null && "path" in value ? value.path : undefined;
  return typeof path === "string" ? path : wanted(value, "string");
};

export const pathTexts: Convert<readonly string[]> = (value) => itemsOf(value).map(pathText);
