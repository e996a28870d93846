import { asByteText, decodeText, encodeRune, encodeText, type ByteText } from "../byte-text.ts";

export interface UnquotedLiteral {
  readonly value: ByteText;
  readonly isBytes: boolean;
}

/** Reads a string or bytes literal with its prefix and quotes; a problem comes back as text. */
export function unquote(literal: string): UnquotedLiteral | { readonly problem: string } {
  const isRaw = literal.startsWith("r");
  let body = isRaw ? literal.slice(1) : literal;
  const isBytes = body.startsWith("b");
  if (isBytes) body = body.slice(1);
  const quote = body.charAt(0);
  const isTriple = body.length >= 6 && body.startsWith(quote.repeat(3));
  const width = isTriple ? 3 : 1;
  body = body.slice(width, body.length - width);
  if (isRaw || !body.includes("\\")) return { value: asByteText(body), isBytes };
  return unescapeBody(body, isBytes);
}

const singleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

function unescapeBody(
  body: string,
  isBytes: boolean,
): UnquotedLiteral | { readonly problem: string } {
  let value = "";
  for (let index = 0; index < body.length;) {
    const backslash = body.indexOf("\\", index);
    if (backslash === -1) {
      value += body.slice(index);
      break;
    }
    value += body.slice(index, backslash);
    const escape = readEscape(body.slice(backslash, backslash + 10), isBytes);
    if ("problem" in escape) return escape;
    value += escape.bytes;
    index = backslash + escape.size;
  }
  return { value: asByteText(value), isBytes };
}

type Escape = { readonly bytes: string; readonly size: number } | { readonly problem: string };

function readEscape(text: string, isBytes: boolean): Escape {
  const letter = text.charAt(1);
  if (letter === "") return { problem: "truncated escape sequence \\" };
  const simple = singleEscapes[letter];
  if (simple !== undefined) return { bytes: simple, size: 2 };
  if (letter >= "0" && letter <= "7") return readOctal(text, isBytes);
  if (letter === "x") return readHex(text, isBytes);
  if (letter === "u" || letter === "U") return readCodePoint(text, letter === "u" ? 6 : 10);
  return { problem: `invalid escape sequence \\${decodeText(encodeText(letter))}` };
}

function readOctal(text: string, isBytes: boolean): Escape {
  const digits = /^\\([0-7]{1,3})/.exec(text)?.[1] ?? "0";
  const code = Number.parseInt(digits, 8);
  if (!isBytes && code > 127) {
    const place = hex(code);
    return {
      problem: `non-ASCII octal escape \\${code.toString(8)} (use \\u${place} for the UTF-8 encoding of U+${place})`,
    };
  }
  if (code >= 256) return { problem: `invalid escape sequence \\${code.toString(8)}` };
  return { bytes: String.fromCharCode(code), size: 1 + digits.length };
}

function readHex(text: string, isBytes: boolean): Escape {
  if (text.length < 4) return { problem: `truncated escape sequence ${decodeText(text)}` };
  const digits = text.slice(2, 4);
  if (!/^[\dA-Fa-f]+$/.test(digits)) {
    return { problem: `invalid escape sequence ${decodeText(text.slice(0, 4))}` };
  }
  const code = Number.parseInt(digits, 16);
  if (!isBytes && code > 127) {
    return {
      problem: `non-ASCII hex escape \\x${digits} (use \\u${hex(code)} for the UTF-8 encoding of U+${hex(code)})`,
    };
  }
  return { bytes: String.fromCharCode(code), size: 4 };
}

function readCodePoint(text: string, size: number): Escape {
  if (text.length < size) return { problem: `truncated escape sequence ${decodeText(text)}` };
  const whole = text.slice(0, size);
  const digits = whole.slice(2);
  if (!/^[\dA-Fa-f]+$/.test(digits)) {
    return { problem: `invalid escape sequence ${decodeText(whole)}` };
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) {
    const shown = code.toString(16).padStart(8, "0");
    return { problem: `code point out of range: ${whole} (max \\U${shown})` };
  }
  if (code >= 0xd800 && code < 0xe000) {
    return { problem: `invalid Unicode code point U+${hex(code)}` };
  }
  return { bytes: encodeRune(code), size };
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}
