import { describe, expect, it } from "vitest";
import { foreignFunction, unnamed } from "./foreign-module.ts";
import { bucket, provideGlobals, runInstrumented } from "./run-module.ts";
import { output, when, each } from "../../src/resources/provisioned/index.ts";

provideGlobals({ bucket, foreign: foreignFunction, unnamed, output, when, each });

/** Each source marks the place of the error; the text after it says what is done there. */
const rejected: readonly (readonly [source: string, what: string])[] = [
  ["if («bucket.arn») {}", "decides an if"],
  ["if (0) {} else if («bucket.arn») {}", "decides an if"],
  ["«bucket.arn» ? 1 : 2", "decides a condition (? :)"],
  ["while («bucket.arn») break;", "decides whether a loop goes on"],
  ["do {} while («bucket.arn»);", "decides whether a loop goes on"],
  ["for (let i = 0; «bucket.arn»; i++) break;", "decides whether a loop goes on"],
  ["outer: for (;;) { while («bucket.arn») continue outer; }", "decides whether a loop goes on"],
  ["for (const tag of «bucket.tags») {}", "is iterated over"],
  ["outer: for (const tag of «bucket.tags») { break outer; }", "is iterated over"],
  ["for await (const tag of «bucket.tags») {}", "is iterated over"],
  ["for (const key in «bucket.tags») {}", "is iterated over"],
  ["switch («bucket.arn») { case 1: }", "decides a switch"],
  ['switch ("a") { case «bucket.arn»: }', "decides a switch"],
  ["«bucket.arn» && 1", "decides an &&"],
  ["«bucket.arn» || 1", "decides an ||"],
  ["«bucket.arn» ?? 1", "decides a ??"],
  ["let x = bucket.arn; «x» &&= 1;", "decides an &&"],
  ["let x = bucket.arn; «x» ||= 1;", "decides an ||"],
  ["let x = bucket.arn; «x» ??= 1;", "decides a ??"],
  ["const o = { x: bucket.arn }; «o.x» ??= 1;", "decides a ??"],
  ["const o = { p: { x: bucket.arn } }; «o.p.x» ||= 1;", "decides an ||"],
  ["class A { #x = bucket.arn; f() { «this.#x» ??= 1; } } new A().f();", "decides a ??"],
  [
    "class A { #x = bucket.arn; f(o) { «o.#x» &&= 1; } } const a = new A(); a.f(a);",
    "decides an &&",
  ],
  ["class A { static #x = bucket.arn; static f() { «A.#x» ||= 1; } } A.f();", "decides an ||"],
  [
    "class B { get x() { return bucket.arn; } } class A extends B { f() { «super.x» ??= 1; } } new A().f();",
    "decides a ??",
  ],
  ["const o = { x: bucket.arn }; «o.x» ??= await 1;", "decides a ??"],
  ['const o = { x: bucket.arn }; «o["x"]» ||= "await";', "decides an ||"],
  ["function* g(o) { «o.x» &&= yield 1; } g({ x: bucket.arn }).next();", "decides an &&"],
  ["!«bucket.arn»", "is negated"],
  ['«bucket.arn» === "a"', "is compared"],
  ['"a" !== «bucket.arn»', "is compared"],
  ["«bucket.arn» == null", "is compared"],
  ["1 < «bucket.size»; «bucket.arn» >= 2", "is compared"],
  ["«bucket.arn» * 2", "is calculated with"],
  ["2 - «bucket.arn»", "is calculated with"],
  ["«bucket.arn + 1»", "is calculated with"],
  ["-«bucket.arn»", "is calculated with"],
  ["+«bucket.arn»", "is calculated with"],
  ["~«bucket.arn» | 0", "is calculated with"],
  ["let x = bucket.arn; «x»++;", "is calculated with"],
  ["const o = { x: bucket.arn }; --«o.x»;", "is calculated with"],
  ["class A { #x = bucket.arn; f() { «this.#x»++; } } new A().f();", "is calculated with"],
  ["class A { #x = bucket.arn; f(o) { «o.#x»++; } } new A().f(new A());", "is calculated with"],
  ["class A { #x = 1; f(o) { «o.#x *= bucket.arn»; } } new A().f(new A());", "is calculated with"],
  ["let x = bucket.arn; «x» -= 1;", "is calculated with"],
  ["let x = 1; x *= «bucket.arn»;", "is calculated with"],
  ["let x = 1; «x += bucket.arn»;", "is calculated with"],
  ["const o = { p: { x: 1 } }; «o.p.x **= bucket.arn»;", "is calculated with"],
  ["typeof «bucket.arn»", "is asked for its type"],
  ["const x = bucket.arn; typeof «x»", "is asked for its type"],
  ["«bucket.arn» instanceof String", "is asked for its class"],
  ['"a" in «bucket.tags»', "decides an in"],
  ["«bucket.arn» in {}", "decides an in"],
  ["class A { #x; f() { return #x in «bucket.arn»; } } new A().f();", "decides an in"],
  ["({})[«bucket.arn»]", "is used as a property key"],
  ["[1, 2][«bucket.arn»]", "is used as a property key"],
  ["const o = {}; o[«bucket.arn»] = 1;", "is used as a property key"],
  ["({ [«bucket.arn»]: 1 })", "is used as a property key"],
  ["class A { [«bucket.arn»]() {} }", "is used as a property key"],
  ["class A { static [«bucket.arn»] = 1; }", "is used as a property key"],
  ["const { [«bucket.arn»]: x } = {};", "is used as a property key"],
  ["[...«bucket.tags»]", "is spread"],
  ["({ ...«bucket.tags» })", "is spread"],
  ["Math.max(...«bucket.tags»)", "is spread"],
  ["new Array(...«bucket.tags»)", "is spread"],
  ["const [first] = «bucket.tags»;", "is taken apart as a list"],
  ["let first; [first] = «bucket.tags»;", "is taken apart as a list"],
  ["const { a, ...others } = «bucket.tags»;", "is asked for its other members"],
  ["const { «arn = 1» } = bucket;", "decides whether a default applies"],
  ["export const { «arn = 1» } = bucket;", "decides whether a default applies"],
  ["const { arn: «x = 1» } = bucket;", "decides whether a default applies"],
  ["const { b: { «arn = 1» } } = { b: bucket };", "decides whether a default applies"],
  ["const [«x = 1»] = [bucket.arn];", "decides whether a default applies"],
  ["let arn; ({ «arn = 1» } = bucket);", "decides whether a default applies"],
  ["const o = {}; ({ arn: «o.x = 1» } = bucket);", "decides whether a default applies"],
  ["function f({ «arn = 1» }) {} f(bucket);", "decides whether a default applies"],
  ["function f(«x = 1») {} f(bucket.arn);", "decides whether a default applies"],
  ["((«x = 1») => x)(bucket.arn)", "decides whether a default applies"],
  ["for (const { «arn = 1» } of [bucket]);", "decides whether a default applies"],
  ["let arn; for ({ «arn = 1» } of [bucket]) {}", "decides whether a default applies"],
  ["try { throw bucket; } catch ({ «arn = 1» }) {}", "decides whether a default applies"],
  ["«bucket.arn»?.length", "decides an optional chain (?.)"],
  ["«bucket.tags»?.[0].x", "decides an optional chain (?.)"],
  ["bucket?.c; «bucket?.tags»?.x", "decides an optional chain (?.)"],
  ["«bucket.arn»?.slice(1)", "decides an optional chain (?.)"],
  ["«bucket.arn.slice»?.(1)", "decides an optional chain (?.)"],
  ["await «bucket.arn»", "is awaited, which does not wait for the apply"],
  ["(function* () { yield* «bucket.tags»; })().next()", "is iterated over"],
  ["delete «bucket.tags».x", "is changed"],
  ["«bucket.tags».x = 1;", "is changed"],
  ["await import(«bucket.arn»)", "decides what is imported"],
  ["class A extends «bucket.arn» {}", "is used as a class"],
  ["new «bucket.arn»()", "is used as a class"],
  ["class A { get on() { return bucket.arn; } } if («new A().on») {}", "decides an if"],
  [
    "class A { get on() { return «bucket.arn» ? 1 : 2; } } new A().on;",
    "decides a condition (? :)",
  ],
  ["const f = () => bucket.arn; if («f()») {}", "decides an if"],
  ["const f = async () => bucket.arn; if («await f()») {}", "decides an if"],
  ["if («`a${bucket.arn}`») {}", "decides an if"],
  ["if ((«bucket.arn»)) {}", "decides an if"],
  ["if («bucket.arn.name») {}", "decides an if"],
  ["if («output(bucket.arn).map((arn) => arn.length)») {}", "decides an if"],
  ["if («when(bucket.arn, 1, 2)») {}", "decides an if"],
  ["for (const x of «each(bucket.tags, (tag) => tag)») {}", "is iterated over"],
  ["«bucket.arn.toUpperCase»()", "has its toUpperCase() called"],
  ["«bucket.tags.map»((tag) => tag)", "has its map() called"],
  ["«bucket.arn.then»(() => 1)", "has a method called"],
  ["«JSON.stringify»(bucket.arn)", "is passed to stringify(), which may decide on it"],
  ["«JSON.stringify»({ a: [bucket.arn] })", "is passed to stringify(), which may decide on it"],
  [
    "«JSON.stringify»({ a: { toJSON: () => bucket.arn } })",
    "is passed to stringify(), which may decide on it",
  ],
  ["«JSON.stringify»([1], () => bucket.arn)", "is passed to stringify(), which may decide on it"],
  ["«[[[bucket.tags]]].flat»(Infinity)", "is passed to flat(), which may decide on it"],
  [
    "new «Set»((function* () { yield bucket.arn; })())",
    "is passed to new Set(), which may decide on it",
  ],
  ["new «Map»([[bucket.arn, 1]].values())", "is passed to new Map(), which may decide on it"],
  ["«parseInt»(bucket.arn)", "is passed to parseInt(), which may decide on it"],
  ["«Number»(bucket.arn)", "is passed to Number(), which may decide on it"],
  ["«String»(bucket.arn)", "is passed to String(), which may decide on it"],
  ["«Boolean»(bucket.arn)", "is passed to Boolean(), which may decide on it"],
  ['«"abc".includes»(bucket.arn)', "is passed to includes(), which may decide on it"],
  ['«[bucket.arn].includes»("a")', "is passed to includes(), which may decide on it"],
  ['«["a"].indexOf»(bucket.arn)', "is passed to indexOf(), which may decide on it"],
  ["«[bucket.arn].filter»(Boolean)", "is passed to Boolean(), which may decide on it"],
  ["«[1].filter»(() => bucket.arn)", "decides what filter() does"],
  ["«[1].some»(() => bucket.arn)", "decides what some() does"],
  ["«[1, 2].sort»(() => bucket.arn)", "decides what sort() does"],
  ["«[bucket.arn, bucket.tags].sort»()", "is passed to sort(), which may decide on it"],
  ['«["a", bucket.arn].join»("-")', "is passed to join(), which may decide on it"],
  ["«[bucket.arn].map»(String)", "is passed to String(), which may decide on it"],
  ["«new Set().has»(bucket.arn)", "is passed to has(), which may decide on it"],
  ["«new Map().get»(bucket.arn)", "is passed to get(), which may decide on it"],
  ["new «Set»([bucket.arn])", "is passed to new Set(), which may decide on it"],
  ["new «Map»([[bucket.arn, 1]])", "is passed to new Map(), which may decide on it"],
  ["«Array.isArray»(bucket.tags)", "is passed to isArray(), which may decide on it"],
  ["«Object.keys»(bucket.tags)", "is passed to keys(), which may decide on it"],
  [
    "«structuredClone»({ x: bucket.arn })",
    "is passed to structuredClone(), which may decide on it",
  ],
  ["«String.raw»`${bucket.arn}`", "is passed to raw(), which may decide on it"],
  ["«unnamed.up»(bucket.arn)", "is passed to unnamed.up(), which may decide on it"],
  ["«foreign»(bucket.arn)", "is passed to foreignFunction(), which may decide on it"],
  [
    "«foreign»({ deep: [{ x: bucket.arn }] })",
    "is passed to foreignFunction(), which may decide on it",
  ],
  [
    "const o = { foreign }; «o?.foreign»(bucket.arn)",
    "is passed to foreignFunction(), which may decide on it",
  ],
  ["«foreign.call»(null, bucket.arn)", "is passed to foreignFunction(), which may decide on it"],
  ["«foreign.apply»(null, [bucket.arn])", "is passed to foreignFunction(), which may decide on it"],
  [
    "«Reflect.apply»(foreign, null, [bucket.arn])",
    "is passed to foreignFunction(), which may decide on it",
  ],
  [
    "const f = foreign.bind(null); «f»(bucket.arn)",
    "is passed to bound foreignFunction(), which may decide on it",
  ],
  ["«foreign»`a${bucket.arn}`", "is passed to foreignFunction(), which may decide on it"],
  [
    "class A extends Array { constructor() { «super(bucket.arn)»; } } new A();",
    "is passed to new Array(), which may decide on it",
  ],
];

/** What may be done with values that are not known yet. */
const allowed: readonly string[] = [
  "const x = bucket.arn; export const y = { x, list: [x] };",
  "`http://${bucket.arn}/${1}`",
  '"a" + bucket.arn + 1',
  "bucket.arn + bucket.tags",
  'let x = "a"; x += bucket.arn; x += 1;',
  'const o = { p: { x: "a" } }; o.p.x += bucket.arn;',
  "const { length } = bucket.arn; const { a: { b } } = bucket.tags;",
  "bucket.tags[0].name",
  "const f = (x, ...others) => ({ x, others }); f(bucket.arn, bucket.tags);",
  "const tag = (strings, ...values) => values; tag`a${bucket.arn}`;",
  "const list = []; list.push(bucket.arn); list.map((x) => `${x}!`); list.slice(0); [...list];",
  "[{ on: true, x: bucket.arn }].filter((item) => item.on).find((item) => item.on);",
  "Object.entries({ a: bucket.arn }).map(([key, value]) => [key, value]);",
  "Object.assign({}, { a: bucket.arn }); ({ ...{ a: bucket.arn } });",
  'const map = new Map([["a", bucket.arn]]); map.set("b", bucket.arn).get("a");',
  "const f = async () => bucket.arn; const x = await f(); await Promise.all([x, 1]);",
  "await new Promise((resolve) => resolve(bucket.arn));",
  "const { promise, resolve } = Promise.withResolvers(); resolve(bucket.arn); await promise;",
  "function* f() { const x = yield 1; yield x; } const it = f(); it.next(); it.next(bucket.arn);",
  "const o = { set x(value) { this.y = value; }, get x() { return this.y; } }; o.x = bucket.arn; o.x;",
  "class A { constructor(x) { this.x = x; } } class B extends A {} new B(bucket.arn).x;",
  "class A { f(x) { return x; } } const f = new A().f.bind(null); f(bucket.arn);",
  "const f = (x) => x; f.call(null, bucket.arn); f.apply(null, [bucket.arn]); f?.(bucket.arn);",
  "output(bucket.arn).map((arn) => arn.length); when(bucket.arn, 1, 2); each(bucket.tags, (x) => x);",
  "output([bucket.arn, bucket.tags]).map(([arn, tags]) => arn + tags[0]);",
  "new Set([{ x: bucket.arn }]).size; new Map([[{ x: bucket.arn }, 1]]).size;",
  "foreign(1, { a: [2] });",
  'class A { #x = "a"; f(o) { o.#x += bucket.arn; } } new A().f(new A());',
  "new Array(2).fill(bucket.arn); [[bucket.tags]].flat();",
  'console.debug("%s %d", bucket.arn, bucket.size); console.group(bucket.arn); console.groupEnd();',
  "Array.isArray([bucket.arn]) && Object.keys({ a: bucket.arn }).length;",
  "void bucket.arn; (1, bucket.arn);",
  "try { throw bucket.arn; } catch (error) { error.name; }",
];

describe("deciding on a provisioned value is rejected", () => {
  it.each(rejected)("%s", async (marked, what) => {
    const source = marked.replaceAll(/[«»]/g, "");
    const { error, rejections } = await runInstrumented(source);
    expect(error).toBeInstanceOf(Error);
    const [first] = rejections;
    expect(first?.summary.split("here it ")[1]).toBe(what);
    const { start, end } = first?.source ?? {};
    const shown = source.slice((start?.column ?? 0) - 1, (end?.column ?? 0) - 1);
    expect(marked).toContain(`«${shown}»`);
  });
});

describe("storing, passing and joining one is not", () => {
  it.each(allowed)("%s", async (source) => {
    const { error, rejections } = await runInstrumented(source);
    expect(rejections).toEqual([]);
    expect(error).toBeUndefined();
  });
});

describe("TypeScript of its own", () => {
  it("is looked at in the members of enumerations that are no constants", async () => {
    const { rejections } = await runInstrumented("enum E { A = bucket.arn ? 1 : 2 }", "main.ts");
    expect(rejections[0]?.summary).toContain("decides a condition (? :)");
  });
});

describe("the record of rejections", () => {
  it("is kept when the program catches the error", async () => {
    const source = "export let seen; try { if (bucket.arn) {} } catch { seen = true; }";
    const { exports, error, rejections } = await runInstrumented(source);
    expect(error).toBeUndefined();
    expect(exports["seen"]).toBe(true);
    expect(rejections.map(({ code }) => code)).toEqual(["program.provisioned-decision"]);
  });
});
