import {
  asByteText,
  decodeText,
  encodeRune,
  encodeText,
  runeAt,
  type ByteText,
} from "../byte-text.ts";
import { isLetter, isPrintable } from "../unicode.ts";
import type { Position } from "./position.ts";
import { StarlarkSyntaxError } from "./syntax-error.ts";
import { isPunctuation, wordKind, type Token, type TokenKind } from "./token.ts";
import { unquote } from "./unquote.ts";

const tabWidth = 8;
const deepestNesting = 1000;
const nothing = asByteText("");

/** Splits a file into tokens, with tokens for the ends of lines and for indentation. */
export class Scanner {
  readonly #file: string;
  readonly #bytes: ByteText;
  #offset = 0;
  #line = 1;
  #column = 1;
  #nesting = 0;
  readonly #indents: number[] = [0];
  /** Indents (above zero) or outdents (below) that are still to be handed out. */
  #pending = 0;
  #isLineStart = true;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#bytes = encodeText(text);
  }

  /** Where the next token will be looked for. */
  get position(): Position {
    return { file: this.#file, line: this.#line, column: this.#column };
  }

  next(): Token {
    for (;;) {
      const token = this.#scan();
      if (token !== undefined) return token;
    }
  }

  fail(message: string, position = this.position): never {
    throw new StarlarkSyntaxError(position, message);
  }

  /** A token, or undefined when a blank line, a comment or a joined line was passed. */
  #scan(): Token | undefined {
    const wasLineStart = this.#isLineStart;
    const isBlank = wasLineStart && this.#readIndentation();
    if (this.#pending !== 0) {
      const kind = this.#pending > 0 ? "indent" : "outdent";
      this.#pending -= Math.sign(this.#pending);
      return this.#token(kind, this.position);
    }
    let char = this.#peek();
    while (char === " " || char === "\t") char = this.#skip();
    if (char === "#") while (char !== "" && char !== "\n") char = this.#skip();
    if (char === "\n") return this.#scanNewline(isBlank);
    if (char === "") return this.#scanEnd(wasLineStart);
    if (char === "\\") {
      if (this.#skip() !== "\n") this.fail("stray backslash in program");
      this.#skip();
      return undefined;
    }
    return this.#scanVisible(char);
  }

  /** Whether the line is blank; otherwise indents or outdents become pending. */
  #readIndentation(): boolean {
    this.#isLineStart = false;
    let width = 0;
    let char = this.#peek();
    while (char === " " || char === "\t") {
      width += char === " " ? 1 : tabWidth - ((this.#column - 1) % tabWidth);
      char = this.#skip();
    }
    if (char === "#" || char === "\n" || char === "") return true;
    if (this.#nesting > 0) return false;
    const current = this.#indents.at(-1) ?? 0;
    if (width > current) {
      this.#pending++;
      this.#indents.push(width);
    } else if (width < current) {
      while ((this.#indents.at(-1) ?? 0) > width) {
        this.#pending--;
        this.#indents.pop();
      }
      if (this.#indents.at(-1) !== width) {
        this.fail("unindent does not match any outer indentation level");
      }
    }
    return false;
  }

  #scanNewline(isBlank: boolean): Token | undefined {
    this.#isLineStart = true;
    const start = this.position;
    this.#skip();
    return this.#nesting > 0 || isBlank ? undefined : this.#token("newline", start);
  }

  #scanEnd(wasLineStart: boolean): Token | undefined {
    if (this.#indents.length === 1) return this.#token("end of file", this.position);
    if (wasLineStart) {
      this.#pending = 1 - this.#indents.length;
      this.#indents.length = 1;
      return undefined;
    }
    this.#isLineStart = true;
    return this.#token("newline", this.position);
  }

  #scanVisible(char: string): Token {
    const start = this.position;
    if (char === '"' || char === "'") return this.#scanString(start, this.#offset);
    const rest = this.#bytes.slice(this.#offset, this.#offset + 3);
    const prefix = /^(?:rb|r|b)(?=["'])/.exec(rest)?.[0];
    if (prefix !== undefined) {
      const from = this.#offset;
      for (let index = 0; index < prefix.length; index++) this.#skip();
      return this.#scanString(start, from);
    }
    if (this.#isWordStart(char)) return this.#scanWord(start);
    if (isDigit(char) || (char === "." && isDigit(rest.charAt(1)))) return this.#scanNumber(start);
    return this.#scanPunctuation(char, start);
  }

  #isWordStart(char: string): boolean {
    if (char < "\u0080") return /^[A-Za-z_]$/.test(char);
    return isLetter(runeAt(this.#bytes, this.#offset).rune);
  }

  #scanWord(start: Position): Token {
    const from = this.#offset;
    let char = this.#peek();
    while (char !== "" && (isDigit(char) || this.#isWordStart(char))) char = this.#skip();
    const text = this.#textFrom(from);
    return this.#token(wordKind(text), start, text);
  }

  #scanPunctuation(char: string, start: Position): Token {
    if ("([{".includes(char)) {
      if (++this.#nesting > deepestNesting) this.fail("excessive nesting");
    } else if (")]}".includes(char)) {
      if (this.#nesting === 0) this.fail(`unexpected '${char}'`);
      this.#nesting--;
    }
    for (const size of [3, 2, 1]) {
      const text = this.#bytes.slice(this.#offset, this.#offset + size);
      if (text.length < size || !isPunctuation(text)) continue;
      for (let index = 0; index < size; index++) this.#skip();
      return this.#token(text, start);
    }
    this.fail(`unexpected input character ${quoteRune(runeAt(this.#bytes, this.#offset).rune)}`);
  }

  #scanString(start: Position, from: number): Token {
    const afterPrefix = this.position;
    const prefix = this.#bytes.slice(from, this.#offset);
    const quote = this.#bytes.charAt(this.#offset);
    const isTriple = this.#bytes.startsWith(quote.repeat(3), this.#offset);
    let raw = prefix;
    for (let index = 0; index < (isTriple ? 3 : 1); index++) raw += this.#take(start);
    for (let quotes = 0; quotes < (isTriple ? 3 : 1);) {
      const char = this.#take(start);
      raw += char;
      quotes = char === quote ? quotes + 1 : 0;
      if (char === "\n" && !isTriple) this.fail("unexpected newline in string", start);
      if (char === "\\") raw += this.#take(start);
    }
    const literal = unquote(raw);
    if ("problem" in literal) this.fail(literal.problem, afterPrefix);
    return this.#token(literal.isBytes ? "bytes literal" : "string literal", start, literal.value);
  }

  #take(start: Position): string {
    if (this.#offset >= this.#bytes.length) this.fail("unexpected EOF in string", start);
    const char = this.#peek();
    const from = this.#offset;
    this.#skip();
    return char === "\n" ? char : this.#bytes.slice(from, this.#offset);
  }

  #scanNumber(start: Position): Token {
    const from = this.#offset;
    const rest = this.#bytes.slice(from);
    const prefix = /^0([xXoObB])/.exec(rest)?.[1]?.toLowerCase();
    if (prefix !== undefined) return this.#scanPrefixed(start, prefix);
    const body = /^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?/.exec(rest)?.[0] ?? "";
    this.#skipMany(body.length);
    if (/[.eE]/.test(body)) {
      const float = Number(body);
      if (/[+-]$/.test(body) || !Number.isFinite(float)) this.fail("invalid float literal");
      return { ...this.#token("float literal", start), float };
    }
    if (/^0[0-7]*[1-7][0-7]*$/.test(body)) {
      this.fail(`obsolete form of octal literal; use 0o${body.slice(1)}`);
    }
    if (/^0.*[1-9]/.test(body)) this.fail("invalid int literal", start);
    return { ...this.#token("int literal", start), int: toInt(body) };
  }

  #scanPrefixed(start: Position, prefix: string): Token {
    const digits = { x: /^[\dA-Fa-f]+/, o: /^[0-7]+/, b: /^[01]+/ }[prefix] ?? /^$/;
    this.#skipMany(2);
    const body = digits.exec(this.#bytes.slice(this.#offset))?.[0];
    if (body === undefined) {
      if (prefix === "x") this.fail("invalid hex literal", start);
      this.fail(`invalid ${prefix === "o" ? "octal" : "binary"} literal`);
    }
    this.#skipMany(body.length);
    const int = toInt(`0${prefix}${body}`);
    if (prefix !== "x" && int > 0x7fffffffffffffffn) this.fail("invalid int literal", start);
    return { ...this.#token("int literal", start), int };
  }

  #token(kind: TokenKind, position: Position, text = nothing): Token {
    return { kind, position, text };
  }

  #textFrom(from: number): ByteText {
    return asByteText(this.#bytes.slice(from, this.#offset));
  }

  /** The byte at hand; a carriage return counts as a newline, a zero byte ends the file. */
  #peek(): string {
    const char = this.#bytes.charAt(this.#offset);
    return char === "\r" ? "\n" : char === "\0" ? "" : char;
  }

  #skipMany(count: number): void {
    for (let index = 0; index < count; index++) this.#skip();
  }

  /** Passes one character and looks at the next. */
  #skip(): string {
    const char = this.#bytes.charAt(this.#offset);
    if (char === "\r" && this.#bytes.charAt(this.#offset + 1) === "\n") this.#offset++;
    this.#offset += char < "\u0080" ? 1 : runeAt(this.#bytes, this.#offset).size;
    if (char === "\n" || char === "\r") {
      this.#line++;
      this.#column = 1;
    } else this.#column++;
    return this.#peek();
  }
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function toInt(digits: string): number | bigint {
  const small = Number(digits);
  return Number.isSafeInteger(small) ? small : BigInt(digits);
}

function quoteRune(rune: number): string {
  if (rune === 39 || rune === 92) return `'\\${String.fromCharCode(rune)}'`;
  if (isPrintable(rune)) return `'${decodeText(encodeRune(rune))}'`;
  if (rune < 0x80) {
    const named: Readonly<Record<number, string>> = { 7: "a", 8: "b", 11: "v", 12: "f" };
    return `'\\${named[rune] ?? `x${rune.toString(16).padStart(2, "0")}`}'`;
  }
  const digits = rune.toString(16);
  return rune < 0x10000 ? `'\\u${digits.padStart(4, "0")}'` : `'\\U${digits.padStart(8, "0")}'`;
}
