import { asByteText, encodeRune, runeAt, type ByteText } from "../byte-text.ts";
import type { Meter } from "../limits.ts";
import { entryBytes, objectBytes, wordBytes } from "../operations/size.ts";
import { typeName } from "../operations/type-name.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkFloat } from "../values/float.ts";
import { intOf } from "../values/int.ts";
import { StarlarkList } from "../values/list.ts";
import type { Value } from "../values/value.ts";

const deepestNesting = 5000;

/** A JSON text as a value; a text that is none comes back as where and why. */
export function decodeJson(
  meter: Meter,
  json: ByteText,
): { readonly value: Value } | { readonly problem: string; readonly offset: number } {
  const decoder = new JsonDecoder(meter, json);
  try {
    return { value: decoder.decode() };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { problem: error.message, offset: decoder.offset };
  }
}

class JsonProblem extends Error {}

class JsonDecoder {
  offset = 0;
  readonly #meter: Meter;
  readonly #json: string;
  #depth = 0;

  constructor(meter: Meter, json: string) {
    this.#meter = meter;
    this.#json = json;
  }

  decode(): Value {
    const value = this.#parse();
    this.#skipSpace();
    if (this.offset < this.#json.length) {
      this.#fail(`unexpected character ${quoteByte(this.#json.charAt(this.offset))} after value`);
    }
    return value;
  }

  #parse(): Value {
    const char = this.#next();
    this.#meter.step(1);
    if (char === '"') return this.#parseString();
    if (char === "[") return this.#nested(() => this.#parseArray());
    if (char === "{") return this.#nested(() => this.#parseObject());
    if (char === "-" || (char >= "0" && char <= "9")) return this.#parseNumber();
    for (const [word, value] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const) {
      if (!this.#json.startsWith(word, this.offset)) continue;
      this.offset += word.length;
      return value;
    }
    this.#fail(`unexpected character ${quoteByte(char)}`);
  }

  #nested(parse: () => Value): Value {
    if (++this.#depth > deepestNesting) this.#fail("nested too deep");
    this.#meter.allocate(objectBytes);
    this.offset++;
    const value = parse();
    this.#depth--;
    return value;
  }

  #parseArray(): Value {
    const items: Value[] = [];
    if (this.#next() !== "]") {
      for (;;) {
        items.push(this.#parse());
        this.#meter.allocate(wordBytes);
        const char = this.#next();
        if (char === "]") break;
        if (char !== ",") this.#fail(`got ${quoteByte(char)}, want ',' or ']'`);
        this.offset++;
      }
    }
    this.offset++;
    return new StarlarkList(items);
  }

  #parseObject(): Value {
    const dict = new StarlarkDict();
    if (this.#next() !== "}") {
      for (;;) {
        const key = this.#parse();
        if (typeof key !== "string") {
          this.#fail(`got ${typeName(key)} for object key, want string`);
        }
        const colon = this.#next();
        if (colon !== ":") this.#fail(`after object key, got ${quoteByte(colon)}, want ':' `);
        this.offset++;
        dict.set(key, this.#parse());
        this.#meter.allocate(entryBytes);
        const char = this.#next();
        if (char === "}") break;
        if (char !== ",") this.#fail(`in object, got ${quoteByte(char)}, want ',' or '}'`);
        this.offset++;
      }
    }
    this.offset++;
    return dict;
  }

  #parseNumber(): Value {
    const number = /^.[\d.eE+-]*/.exec(this.#json.slice(this.offset))?.[0] ?? "";
    this.offset += number.length;
    if (/^-?(?:0\d.*)?$/.test(number)) this.#fail(`invalid number: ${number}`);
    if (/^-?\d+$/.test(number)) return intOf(BigInt(number));
    const isFloat = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(number);
    if (!isFloat || !Number.isFinite(Number(number))) this.#fail(`invalid number: ${number}`);
    return new StarlarkFloat(Number(number));
  }

  #parseString(): ByteText {
    const start = this.offset;
    let end = start + 1;
    let isPlain = true;
    while (end < this.#json.length && this.#json[end] !== '"') {
      const char = this.#json.charAt(end);
      if (char === "\\" || char > "\u007f") isPlain = false;
      end += char === "\\" ? 2 : 1;
    }
    if (end >= this.#json.length) this.#fail("unclosed string literal");
    const body = this.#json.slice(start + 1, end);
    this.offset = end + 1;
    this.#meter.allocate(body.length);
    return asByteText(isPlain ? body : this.#unescape(body));
  }

  #unescape(body: string): string {
    let result = "";
    for (let index = 0; index < body.length;) {
      const char = body.charAt(index);
      if (char < " ") this.#fail(`invalid character ${quoteByte(char)} in string literal`);
      if (char !== "\\") {
        const { rune, size } = runeAt(body, index);
        result += encodeRune(rune);
        index += size;
        continue;
      }
      const escape = this.#readEscape(body, index);
      result += escape.bytes;
      index += escape.size;
    }
    return result;
  }

  #readEscape(body: string, index: number): { readonly bytes: string; readonly size: number } {
    const letter = body.charAt(index + 1);
    const simple = jsonEscapes[letter];
    if (simple !== undefined) return { bytes: simple, size: 2 };
    if (letter !== "u") {
      this.#fail(`invalid character ${quoteByte(letter)} in string escape code`);
    }
    const unit = this.#hexUnit(body, index + 2);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && body.startsWith("\\u", index + 6)) {
      const low = this.#hexUnit(body, index + 8);
      if (low >= 0xdc00 && low < 0xe000) {
        const rune = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        return { bytes: encodeRune(rune), size: 12 };
      }
    }
    return { bytes: encodeRune(unit), size: 6 };
  }

  #hexUnit(body: string, index: number): number {
    const digits = body.slice(index, index + 4);
    const bad = /[^\dA-Fa-f]/.exec(digits)?.[0] ?? (digits.length < 4 ? '"' : undefined);
    if (bad !== undefined) {
      this.#fail(`invalid character ${quoteByte(bad)} in \\u hexadecimal character escape`);
    }
    return Number.parseInt(digits, 16);
  }

  #skipSpace(): void {
    while (/[ \t\n\r]/.test(this.#json.charAt(this.offset))) this.offset++;
  }

  #next(): string {
    this.#skipSpace();
    const char = this.#json.charAt(this.offset);
    return char === "" ? this.#fail("unexpected end of file") : char;
  }

  #fail(message: string): never {
    throw new JsonProblem(message);
  }
}

const jsonEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const byteEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "'": "\\'",
  "\\": "\\\\",
};

/** A byte in single quotes, as Go shows characters. */
function quoteByte(char: string): string {
  const code = char.charCodeAt(0);
  if (byteEscapes[char] !== undefined) return `'${byteEscapes[char]}'`;
  if (code < 32 || code === 127) return `'\\x${code.toString(16).padStart(2, "0")}'`;
  return `'${encodeRune(code)}'`;
}
