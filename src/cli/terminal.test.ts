import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle } from "./style.ts";
import { throughBoundary } from "./terminal.ts";

const colored = createStyle({ colors: true, logColors: true });

/** `e` stands for the escape character. */
function escaped(text: string): string {
  return text.replaceAll("e[", "\u001B[").replaceAll("e]", "\u001B]");
}

describe("text of others", () => {
  it.each([
    ["plain text, über 日本 👩‍🚀\n\twith tabs", "plain text, über 日本 👩‍🚀\n\twith tabs"],
    ["e]52;c;ZWNobw==\u0007", "\\u001b]52;c;ZWNobw==\\u0007"],
    ["e[31mred", "\\u001b[31mred"],
    ["fine\rFAKE", "fine\\u000dFAKE"],
    ["one\r\ntwo", "one\ntwo"],
    ["\u009B2J\u0085\u007F", "\\u009b2J\\u0085\\u007f"],
    ["user\u202Etxt.exe\u2066\u200B", "user\\u202etxt.exe\\u2066\\u200b"],
    ["tag \u{E0041}", "tag \\udb40\\udc41"],
  ])("%j leaves as %j", (text, expected) => {
    expect(throughBoundary(escaped(text))).toBe(expected);
  });

  it("stays what it was in JSON", () => {
    const value = { text: escaped("e]0;\u009B\u202E\u2028\u{E0041}\r\n\u007F") };
    const shown = throughBoundary(JSON.stringify(value));
    expect(shown).toMatch(/^[ -~]+$/);
    expect(JSON.parse(shown)).toEqual(value);
  });
});

describe("what Keelson says itself", () => {
  it("has its colours, whatever is in them", () => {
    const text = `${colored.red(escaped("bad e[0m name"))} ${colored.bold(`b ${colored.dim("d")} b`)}`;
    expect(throughBoundary(text)).toBe(
      escaped("e[31mbad \\u001b[0m namee[39m e[1mb e[2mde[22me[1m be[22m"),
    );
  });
});

describe("a log", () => {
  it.each([
    ["e[32minfoe[0m works", "e[32minfoe[0m workse[0m"],
    ["e[01;38;5;196mdeep", "e[01;38;5;196mdeepe[0m"],
    ["e[38;2;1;2;3mtrue", "e[38;2;1;2;3mtruee[0m"],
    ["e[8mhidden e[5mblinking", "hidden blinking"],
    ["e[>4;2mmode e[?25mcursor", "mode cursor"],
    ["e[2Je[1;1Hhome", "home"],
    ["e]52;c;ZWNobw==\u0007copied", "copied"],
    ["e]8;;http://a\u001B\\linke]8;;\u001B\\", "link"],
    ["e]0;never ended", "0;never ended"],
    ["\u001BPq#0\u001B\\image \u001B(0line \u001Bc", "image line "],
    ["10%\r20%\r\n", "10% 20%\n"],
    ["\u009B31mC1", "\\u009b31mC1"],
  ])("%j is shown as %j", (text, expected) => {
    expect(throughBoundary(colored.log(escaped(text)))).toBe(escaped(expected));
  });

  it("has no colours where nobody wants any", () => {
    const { log } = createStyle({ colors: false, logColors: false });
    expect(throughBoundary(log(escaped("e[32minfoe[0m")))).toBe("info");
  });
});

describe("any text", () => {
  const parts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u001B", "\u001B[", "\u001B]52;c;", "\u0007", "\u001B\\", "\u009B", "\u0000"),
    fc.constantFrom("\u202E", "\u2066", "\u200B", "\r", "\n", "\r\n", "31m", "\u001B[0m", "[2J"),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  );
  const text = fc.array(parts).map((all) => all.join(""));
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const colors = /\u001B\[[\d;:]*m/g;
  const acting =
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/;

  it("does nothing to a terminal", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(throughBoundary(any)).not.toMatch(acting);
        expect(throughBoundary(throughBoundary(any))).toBe(throughBoundary(any));
      }),
      { numRuns: 2_000 },
    );
  });

  it("has nothing but colours as a log, and ends them", () => {
    fc.assert(
      fc.property(text, (any) => {
        const shown = throughBoundary(colored.log(any));
        expect(shown.replaceAll(colors, "")).not.toMatch(acting);
        expect(shown.match(colors)?.at(-1) ?? "\u001B[0m").toBe("\u001B[0m");
      }),
      { numRuns: 2_000 },
    );
  });

  it("is told apart from our own colours", () => {
    fc.assert(
      fc.property(text, (any) => {
        const shown = throughBoundary(`${colored.red(any)}${any}`);
        expect(shown.match(colors)).toEqual(["\u001B[31m", "\u001B[39m"]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the same value after JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, any) => {
        const json = [value, any];
        expect(JSON.parse(throughBoundary(JSON.stringify(json)))).toEqual(
          JSON.parse(JSON.stringify(json)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
