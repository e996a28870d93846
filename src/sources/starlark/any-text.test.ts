import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, it } from "vitest";
import { createInterpreter } from "./index.ts";

const seed = Date.now() % 2 ** 31;

/** Any text ends with values or diagnostics, never with another error and never without end. */
function survives(text: string): void {
  const { value, diagnostics } = createInterpreter({ limits: { steps: 10_000 } }).run({
    path: "any",
    text,
  });
  expect(value !== undefined || diagnostics.length > 0).toBe(true);
}

it(`any text (seed ${seed})`, () => {
  assert(property(string({ unit: "binary", maxLength: 200 }), survives), { seed, numRuns: 500 });
}, 30_000);

const pieces = constantFrom(
  ..."def if elif else for in while return break continue pass load lambda not and or is x y f print".split(
    " ",
  ),
  ..."( ) [ ] { } : , ; . = == != < <= + - * ** / // % & | ^ << >> ~ += -= |= # \\ ! @ $".split(
    " ",
  ),
  ..."'a' \"b\" '''c\n''' r'\\' b'x' 0 1 0x 017 1.5 1e .5 é \t".split(" "),
  "\n",
  "\n  ",
  "\n    ",
  "\n\t",
  "\r\n",
  "'",
  '"',
  '"""',
  "\0",
  "\\\n",
);

it(`any sequence of tokens (seed ${seed})`, () => {
  const texts = array(pieces, { maxLength: 60 }).map((parts) => parts.join(" "));
  assert(property(texts, survives), { seed, numRuns: 1500 });
  const joined = array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));
  assert(property(joined, survives), { seed, numRuns: 1500 });
}, 30_000);
