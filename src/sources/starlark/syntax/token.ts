import type { ByteText } from "../byte-text.ts";
import type { Position } from "./position.ts";

const punctuation = [
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  "~",
  ".",
  ",",
  "=",
  ";",
  ":",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "<",
  ">",
  ">=",
  "<=",
  "==",
  "!=",
  "+=",
  "-=",
  "*=",
  "/=",
  "//=",
  "%=",
  "&=",
  "|=",
  "^=",
  "<<=",
  ">>=",
  "**",
] as const;

const keywords = [
  "and",
  "break",
  "continue",
  "def",
  "elif",
  "else",
  "for",
  "if",
  "in",
  "lambda",
  "load",
  "not",
  "or",
  "pass",
  "return",
  "while",
] as const;

/** Words that Python has and Starlark keeps free. */
const reservedWords = [
  "as",
  "async",
  "await",
  "class",
  "del",
  "except",
  "finally",
  "from",
  "global",
  "import",
  "is",
  "nonlocal",
  "raise",
  "try",
  "with",
  "yield",
] as const;

export type Punctuation = (typeof punctuation)[number];
type Keyword = (typeof keywords)[number];
type ReservedWord = (typeof reservedWords)[number];

/** Kinds are spelled as error messages show them. */
export type TokenKind =
  | Punctuation
  | Keyword
  | ReservedWord
  | "not in"
  | "identifier"
  | "int literal"
  | "float literal"
  | "string literal"
  | "bytes literal"
  | "newline"
  | "indent"
  | "outdent"
  | "end of file";

export interface Token {
  readonly kind: TokenKind;
  readonly position: Position;
  /** The text of an identifier, the value of a literal. */
  readonly text: ByteText;
  readonly int?: number | bigint;
  readonly float?: number;
}

const punctuationKinds: ReadonlySet<string> = new Set(punctuation);
const wordKinds: ReadonlySet<string> = new Set([...keywords, ...reservedWords]);

/** The kind of a word: a keyword, a reserved word or an identifier. */
export function wordKind(word: string): TokenKind {
  return wordKinds.has(word) ? (word as TokenKind) : "identifier";
}

export function isPunctuation(text: string): text is Punctuation {
  return punctuationKinds.has(text);
}

/** How a message names a token: punctuation in quotes, anything else bare. */
export function showToken(kind: TokenKind): string {
  return isPunctuation(kind) ? `'${kind}'` : kind;
}
