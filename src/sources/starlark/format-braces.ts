import { asByteText, type ByteText } from "./byte-text.ts";
import { raise } from "./evaluation-error.ts";
import { display, show } from "./operations/show.ts";
import type { KeywordArguments } from "./values/callable.ts";
import type { Value } from "./values/value.ts";
import { quote } from "./quote.ts";

/** What `string.format` does: fields are `{}`, `{0}` or `{name}`, with `!r` or `!s`. */
export function formatBraces(
  format: string,
  args: readonly Value[],
  keywords: KeywordArguments,
): ByteText {
  const fields = new FieldArguments(args, keywords);
  let result = "";
  let rest = format;
  for (;;) {
    const open = rest.indexOf("{");
    result += unescapeClosing(open < 0 ? rest : rest.slice(0, open));
    if (open < 0) return asByteText(result);
    if (rest[open + 1] === "{") {
      result += "{";
      rest = rest.slice(open + 2);
      continue;
    }
    const close = rest.indexOf("}", open);
    if (close < 0) raise("format: unmatched '{' in format");
    result += formatField(rest.slice(open + 1, close), fields);
    rest = rest.slice(close + 1);
  }
}

function unescapeClosing(literal: string): string {
  if (literal.replaceAll("}}", "").includes("}")) raise("format: single '}' in format");
  return literal.replaceAll("}}", "}");
}

function formatField(field: string, fields: FieldArguments): string {
  const bang = field.indexOf("!");
  const head = bang < 0 ? field : field.slice(bang + 1);
  const colon = head.indexOf(":");
  const beforeSpec = colon < 0 ? head : head.slice(0, colon);
  const spec = colon < 0 ? "" : head.slice(colon + 1);
  const name = bang < 0 ? beforeSpec : field.slice(0, bang);
  const conversion = bang < 0 ? "s" : beforeSpec;
  const argument = fields.take(name);
  if (spec !== "") raise(`format spec features not supported in replacement fields: ${spec}`);
  if (conversion === "s") return display(argument);
  if (conversion === "r") return show(argument);
  raise(`format: unknown conversion ${quote(conversion)}`);
}

/** Fields are either all numbered or none is. */
class FieldArguments {
  readonly #args: readonly Value[];
  readonly #keywords: KeywordArguments;
  #next = 0;
  #numbering: "automatic" | "manual" | undefined;

  constructor(args: readonly Value[], keywords: KeywordArguments) {
    this.#args = args;
    this.#keywords = keywords;
  }

  take(name: string): Value {
    if (name === "") {
      if (this.#numbering === "manual") {
        raise("format: cannot switch from manual field specification to automatic field numbering");
      }
      this.#numbering = "automatic";
      return this.#at(this.#next++);
    }
    if (/^\d+$/.test(name)) {
      if (this.#numbering === "automatic") {
        raise("format: cannot switch from automatic field numbering to manual field specification");
      }
      this.#numbering = "manual";
      return this.#at(Number(name));
    }
    const keyword = this.#keywords.find((candidate) => candidate.name === name);
    return keyword === undefined ? raise(unknownName(name)) : keyword.value;
  }

  #at(index: number): Value {
    const argument = this.#args[index];
    return argument === undefined ? raise("format: tuple index out of range") : argument;
  }
}

function unknownName(name: string): string {
  if (name.includes(".")) {
    return `format: attribute syntax x.y is not supported in replacement fields: ${name}`;
  }
  if (name.includes("[")) {
    return `format: element syntax a[i] is not supported in replacement fields: ${name}`;
  }
  if (name.includes("{")) return "format: nested replacement fields not supported";
  return `format: keyword ${name} not found`;
}
