import type { JsonArray, JsonObject, JsonValue } from "../../json/index.ts";
import { resolveScalar } from "./resolve-scalar.ts";

/**
 * Reads a document of the plainest kind, which is what tools write: block mappings and lists, scalars
 * on one line, literal blocks. That takes a third of the time of the parser. Whatever it does not know
 * for certain, errors among them, it leaves to the parser: then it gives undefined.
 */
export function readPlainDocument(text: string): JsonObject | undefined {
  if (text.length > longest || !plainCharacters.test(text)) return undefined;
  try {
    return new PlainReader(text).read();
  } catch (error) {
    if (error !== notPlain) throw error;
    return undefined;
  }
}

const longest = 4 * 1024 * 1024;
const deepest = 100;
const longestKey = 200;
/** Without tabs, carriage returns, and what else the parser refuses or takes for the end of a line. */
const plainCharacters = /^[\n\u{20}-\u{7e}\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}]*$/u;
const notPlain = new Error("not a plain document");

const newline = 0x0a;
const space = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const dash = 0x2d;
const colon = 0x3a;
const bracket = 0x5b;
const bar = 0x7c;
const brace = 0x7b;
/** What begins something other than a plain scalar, or is better left to the parser. */
const otherStart = /[-,[\]{}#&*!|>'"%@`?:=<]/;

class PlainReader {
  readonly #text: string;
  /** The next line that says something: where it begins, how far it is indented, and where it ends. */
  #at = 0;
  #indent = -1;
  #end = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonObject {
    const marker = this.#text.startsWith("---");
    if (marker && this.#text.length > 3 && !this.#isCode(3, newline)) throw notPlain;
    this.#nextLine(marker ? 4 : 0);
    if (this.#indent !== 0) throw notPlain;
    const value = this.#mapping(0);
    if (this.#at < this.#text.length) throw notPlain;
    return value;
  }

  #mapping(indent: number): JsonObject {
    if (++this.#depth > deepest) throw notPlain;
    const mapping: JsonObject = {};
    do {
      const keyEnd = this.#keyEnd(this.#at);
      if (keyEnd === undefined) throw notPlain;
      const key = this.#isQuote(this.#at)
        ? this.#text.slice(this.#at + 1, keyEnd - 2)
        : this.#text.slice(this.#at, keyEnd - 1);
      if (key === "__proto__" || Object.hasOwn(mapping, key)) throw notPlain;
      mapping[key] = this.#valueOfKey(keyEnd, indent);
    } while (this.#indent === indent);
    if (this.#indent > indent) throw notPlain;
    this.#depth--;
    return mapping;
  }

  /** The place behind the colon of a key, if one stands here whose text is certain. */
  #keyEnd(start: number): number | undefined {
    const end = this.#isQuote(start) ? this.#quotedKeyEnd(start) : this.#plainKeyEnd(start);
    if (end === undefined || end - start > longestKey || !this.#isCode(end, colon))
      return undefined;
    return end + 1 >= this.#end || this.#isCode(end + 1, space) ? end + 1 : undefined;
  }

  #plainKeyEnd(start: number): number | undefined {
    plainKey.lastIndex = start;
    const match = plainKey.exec(this.#text);
    if (match === null) return undefined;
    // `yes` and `on` are no text, not even as keys.
    return typeof resolveScalar(match[0]) === "string" ? start + match[0].length : undefined;
  }

  #quotedKeyEnd(start: number): number | undefined {
    quotedKey.lastIndex = start;
    const match = quotedKey.exec(this.#text);
    return match === null ? undefined : start + match[0].length;
  }

  #valueOfKey(after: number, indent: number): JsonValue {
    const start = this.#afterSpaces(after);
    if (start < this.#end) return this.#scalar(start, indent);
    this.#nextLine(this.#end);
    if (this.#indent > indent)
      return this.#isEntry() ? this.#list(this.#indent) : this.#mapping(this.#indent);
    return this.#indent === indent && this.#isEntry() ? this.#list(indent) : null;
  }

  #list(indent: number): JsonArray {
    if (++this.#depth > deepest) throw notPlain;
    const list: JsonArray = [];
    do {
      const start = this.#afterSpaces(this.#at + 1);
      if (start >= this.#end) throw notPlain;
      const column = indent + start - this.#at;
      if (!this.#isQuote(start) && this.#keyEnd(start) !== undefined) {
        this.#at = start;
        this.#indent = column;
        list.push(this.#mapping(column));
      } else {
        list.push(this.#scalar(start, indent));
      }
    } while (this.#indent === indent && this.#isEntry());
    if (this.#indent > indent) throw notPlain;
    this.#depth--;
    return list;
  }

  #isEntry(): boolean {
    return this.#isCode(this.#at, dash) && this.#isCode(this.#at + 1, space);
  }

  /** The value that begins in this line, inside of something that is indented so far. */
  #scalar(start: number, indent: number): JsonValue {
    switch (this.#text.charCodeAt(start)) {
      case doubleQuote:
        return this.#doubleQuoted(start);
      case singleQuote:
        return this.#singleQuoted(start);
      case bar:
        return this.#literal(this.#restOfLine(start + 1), indent);
      case brace:
        return this.#empty(start, "{}", {});
      case bracket:
        return this.#empty(start, "[]", []);
      default:
        return this.#plain(start);
    }
  }

  #empty(start: number, notation: string, value: JsonValue): JsonValue {
    if (this.#restOfLine(start) !== notation) throw notPlain;
    this.#nextLine(this.#end);
    return value;
  }

  #plain(start: number): JsonValue {
    const first = this.#text.charAt(start);
    if (otherStart.test(first) && !(first === "-" && !this.#isCode(start + 1, space)))
      throw notPlain;
    const text = this.#restOfLine(start);
    if (text === "-" || text.startsWith("---") || notInPlain.test(text)) throw notPlain;
    const value = resolveScalar(text);
    if (typeof value === "number" && !Number.isFinite(value)) throw notPlain;
    this.#nextLine(this.#end);
    return value;
  }

  #doubleQuoted(start: number): string {
    doubleQuoted.lastIndex = start;
    const match = doubleQuoted.exec(this.#text);
    if (match === null) throw notPlain;
    this.#endLine(start + match[0].length);
    return match[0].includes("\\") ? (JSON.parse(match[0]) as string) : match[0].slice(1, -1);
  }

  #singleQuoted(start: number): string {
    singleQuoted.lastIndex = start;
    const match = singleQuoted.exec(this.#text);
    if (match === null) throw notPlain;
    this.#endLine(start + match[0].length);
    return match[0].slice(1, -1).replaceAll("''", "'");
  }

  #literal(chomping: string, indent: number): string {
    if (chomping !== "" && chomping !== "-" && chomping !== "+") throw notPlain;
    let text = "";
    let inner = -1;
    let at = this.#end + 1;
    for (;;) {
      const end = this.#text.indexOf("\n", at);
      if (end === -1) {
        // Whether a line break follows the last line is for the parser to judge.
        if (at < this.#text.length) throw notPlain;
        break;
      }
      const start = this.#afterSpaces(at);
      const isBlank = start === end;
      if (isBlank && start - at > Math.max(inner, 0)) throw notPlain;
      if (!isBlank && inner === -1) inner = start - at;
      if (!isBlank && start - at < inner) {
        if (this.#isCode(start, hash)) throw notPlain;
        break;
      }
      text += isBlank ? "\n" : this.#text.slice(at + inner, end + 1);
      at = end + 1;
    }
    if (inner <= indent) throw notPlain;
    this.#nextLine(at);
    if (chomping === "+") return text;
    const content = text.replace(/\n+$/u, "");
    return chomping === "-" ? content : `${content}\n`;
  }

  #restOfLine(start: number): string {
    let end = this.#end;
    while (this.#isCode(end - 1, space)) end--;
    return this.#text.slice(start, end);
  }

  /** Nothing may follow in this line. */
  #endLine(after: number): void {
    if (this.#afterSpaces(after) < this.#end) throw notPlain;
    this.#nextLine(this.#end);
  }

  /** Goes to the next line that is neither empty nor a comment; its indent is -1 when there is none. */
  #nextLine(from: number): void {
    let at = this.#isCode(from, newline) ? from + 1 : from;
    for (;;) {
      const start = this.#afterSpaces(at);
      const end = this.#text.indexOf("\n", start);
      this.#at = start;
      this.#end = end === -1 ? this.#text.length : end;
      this.#indent = start >= this.#text.length ? -1 : start - at;
      if (this.#indent === -1) return;
      if (start !== this.#end && !this.#isCode(start, hash)) return;
      at = this.#end + 1;
    }
  }

  #afterSpaces(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === space) at++;
    return at;
  }

  #isQuote(at: number): boolean {
    return this.#isCode(at, doubleQuote) || this.#isCode(at, singleQuote);
  }

  #isCode(at: number, code: number): boolean {
    return this.#text.charCodeAt(at) === code;
  }
}

const plainKey = /[A-Za-z_][\w./-]*/y;
const quotedKey = /"[^"\\\n]*"|'[^'\n]*'/y;
const doubleQuoted = /"(?:[^"\\\n]|\\[bfnrt"\\/])*"/y;
const singleQuoted = /'(?:[^'\n]|'')*'/y;
/** A colon or a comment would end the scalar. */
const notInPlain = /: | #|:$/;
