/** Random programs of ordinary code, in which everything leaves a trace in the order of evaluation. */
import { type Arbitrary, array, constantFrom, letrec, oneof, option, tuple } from "fast-check";

const names = constantFrom("a", "b", "c", "o", "list", "f", "Made");
const keys = constantFrom("x", "y", "z", "m", "length");
const literals = constantFrom(
  "0",
  "1",
  "2.5",
  '"s"',
  '""',
  "null",
  "undefined",
  "true",
  "7n",
  "[]",
);
const binary = constantFrom(
  "+ - * / % ** == != === !== < > <= >= & | ^ << >> >>> in instanceof".split(" "),
).chain((operators) => constantFrom(...[operators].flat()));
const assignments = constantFrom("=", "+=", "-=", "*=", "**=", "|=", "&&=", "||=", "??=");

/** The text of an expression; parentheses make every combination legal. */
const grammar = letrec((tie) => {
  const expression = tie("expression") as Arbitrary<string>;
  const list = array(expression, { maxLength: 3 }).map((items) => items.join(", "));
  return {
    expression: oneof(
      { maxDepth: 4, depthSize: "small" },
      names,
      literals,
      tuple(expression, binary, expression).map(([l, op, r]) => `((${l}) ${op} (${r}))`),
      tuple(expression, constantFrom("&&", "||", "??"), expression).map(
        ([l, op, r]) => `((${l}) ${op} (${r}))`,
      ),
      tuple(constantFrom("!", "-", "+", "~", "typeof ", "void "), expression).map(
        ([op, e]) => `(${op}(${e}))`,
      ),
      tuple(expression, expression, expression).map(([c, y, n]) => `((${c}) ? ${y} : ${n})`),
      tuple(expression, keys).map(([e, key]) => `(${e}).${key}`),
      tuple(expression, keys).map(([e, key]) => `(${e})?.${key}`),
      tuple(expression, expression).map(([e, key]) => `(${e})[${key}]`),
      tuple(names, list).map(([name, args]) => `${name}(${args})`),
      tuple(names, keys, list).map(([name, key, args]) => `${name}.${key}(${args})`),
      tuple(expression, keys, list).map(([e, key, args]) => `(${e}).${key}(${args})`),
      tuple(names, keys, list, keys).map(
        ([n, k, args, l]) => `${n}?.${k}(${args}).${l}?.(${args})`,
      ),
      tuple(names, keys, list).map(
        ([name, key, args]) => `${name}.${key}?.(${args})?.x.m(${args})`,
      ),
      list.map((args) => `log(${args})`),
      list.map((args) => `new Made(${args})`),
      tuple(names, list).map(([name, args]) => `new (${name})(${args})`),
      tuple(names, assignments, expression).map(([n, op, e]) => `(${n} ${op} ${e})`),
      tuple(expression, keys, assignments, expression).map(
        ([o, k, op, e]) => `((${o}).${k} ${op} ${e})`,
      ),
      tuple(names, expression, assignments, expression).map(
        ([o, k, op, e]) => `(${o}[${k}] ${op} ${e})`,
      ),
      tuple(constantFrom("++", "--"), names, option(keys)).map(
        ([op, name, key]) => `(${op}${name}${key === null ? "" : `.${key}`})`,
      ),
      tuple(names, keys, constantFrom("++", "--")).map(
        ([name, key, op]) => `(${name}.${key}${op})`,
      ),
      tuple(expression, expression).map(([l, r]) => `\`a\${${l}}b\${${r}}\``),
      tuple(names, expression).map(([tag, e]) => `${tag}\`a\${${e}}b\``),
      list.map((items) => `[${items}]`),
      tuple(keys, expression, expression).map(
        ([key, e, s]) => `({ ${key}: ${e}, ...${s}, [${e}]: 1 })`,
      ),
      list.map((items) => `[...list, ${items}]`),
      tuple(expression, expression).map(
        ([d, e]) => `((x = ${d}, { y = 1, ...z } = {}) => [x, y, z])(${e})`,
      ),
      tuple(expression, expression).map(([l, r]) => `(${l}, ${r})`),
      expression.map((e) => `(() => { return ${e}; })()`),
      expression.map((e) => `(delete (${e}).x)`),
    ),
    statement: oneof(
      { maxDepth: 3, depthSize: "small" },
      expression.map((e) => `${e};`),
      tuple(expression, tie("block"), tie("block")).map(
        ([c, y, n]) => `if (${c}) ${y as string} else ${n as string}`,
      ),
      tuple(expression, tie("block")).map(
        ([e, body]) => `for (const { x = 1, y } of ${e}) ${body as string}`,
      ),
      tuple(expression, tie("block")).map(
        ([e, body]) => `for (const key in ${e}) ${body as string}`,
      ),
      tuple(expression, tie("block")).map(
        ([e, body]) => `for (let i = 0; i < 3 && ${e}; i++) ${body as string}`,
      ),
      tuple(expression, expression).map(
        ([e, t]) => `switch (${e}) { case ${t}: log(1); default: log(2); }`,
      ),
      tuple(expression, expression).map(([d, e]) => `var { x: b = ${d}, ...c } = ${e};`),
      tuple(expression, expression).map(([d, e]) => `[a = ${d}, ...b] = ${e};`),
      tuple(expression, expression).map(([d, e]) => `({ x: o.x = ${d}, y: a } = ${e});`),
      tuple(tie("block"), tie("block")).map(
        ([t, c]) => `try ${t as string} catch ({ name = 1 }) ${c as string}`,
      ),
      expression.map((e) => `throw ${e};`),
    ),
    block: array(tie("statement"), { maxLength: 3 }).map((lines) => `{\n${lines.join("\n")}\n}`),
  };
});

const prelude = `
let a = 1, b = "t", c;
const list = [3, { x: 2 }, "u"];
const o = { x: 1, y: { x: 2, m(v) { log("inner", v); return this; } }, get z() { log("get"); return 5; },
  toString() { log("text"); return "o"; }, valueOf() { log("value"); return 4; },
  set z(v) { log("set", v); }, m(...v) { log("m", ...v); return v[0]; } };
function f(...v) { log("f", ...v); if (v.length > 2) return o; return v[0]; }
class Made { #p = 1; constructor(...v) { this.x = v.length; log("made", new.target === Made); }
  m(v = 3) { this.#p += v; this.#p++; this.#p ??= 9; return this.#p; } get y() { return super.toString(); } }
`;

/** The body of a function that is given \`log\`. */
export const anyProgram: Arbitrary<string> = array(grammar.statement, {
  minLength: 1,
  maxLength: 6,
}).map((lines) => `"use strict";\n${prelude}${lines.join("\n")}\nlog(a, b, c, o.x, list);`);
