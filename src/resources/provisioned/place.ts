import { createHash } from "node:crypto";
import { excerptOf, type SourcePosition, type SourceRange } from "../../diagnostics/index.ts";

/** What the loader knows of a module; rewritten code hands on a function that gives it. */
export interface ModuleInfo {
  readonly file: string;
  /** `<package>:<path of the module without extension>`. */
  readonly token: string;
}
export type ModuleReference = () => ModuleInfo;

/** A range in the text of a module as the user wrote it, in UTF-16 units. */
export interface Place {
  readonly module: ModuleReference;
  readonly start: number;
  readonly end: number;
}

const texts = new Map<string, string>();
const textsByKey = new Map<string, string>();
const keyLength = 10;

/** Keeps the text of a loaded module, so that its places can be shown, and gives a key for it. */
export function rememberSource(file: string, text: string): string {
  const key = createHash("sha256").update(text).digest("hex").slice(0, keyLength);
  texts.set(file, text);
  textsByKey.set(key, text);
  return key;
}

export function sourceByKey(key: string): string | undefined {
  return textsByKey.get(key);
}

export function rangeOf({ module, start, end }: Place): SourceRange {
  const { file } = module();
  const text = texts.get(file) ?? "";
  const from = positionAt(text, start);
  return { file, start: from, end: positionAt(text, end), excerpt: excerptOf(text, from.line) };
}

export function textOfPlace({ module, start, end }: Place): string {
  return (texts.get(module().file) ?? "").slice(start, end);
}

const longestShownText = 40;

/** The text of a place when it is short enough to stand in a sentence. */
export function shortTextAt(place: Place): string | undefined {
  const text = textOfPlace(place);
  return text === "" || text.length > longestShownText || text.includes("\n") ? undefined : text;
}

function positionAt(text: string, offset: number): SourcePosition {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const newline = text.indexOf("\n", lineStart);
    if (newline === -1 || newline >= offset) break;
    line++;
    lineStart = newline + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
