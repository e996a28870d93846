import { expect, it } from "vitest";
import { plainLog } from "../../src/diagnostics/index.ts";
import { ansiSpans } from "./ansi-spans.ts";

/** `e` stands for the escape character; spans are written `text(classes)`. */
function check(line: string, expected: string): void {
  const text = line.replaceAll("e[", "\u001B[").replaceAll("e]", "\u001B]");
  const spans = ansiSpans(text);
  expect(spans.map((span) => `${span.text}(${span.classes})`).join("")).toBe(expected);
  expect(plainLog(text)).toBe(spans.map((span) => span.text).join(""));
}

it.each([
  ["plain text", "plain text()"],
  ["e[32minfoe[0m it works", "info(front-green) it works()"],
  ["e[1;31mbade[22m stille[39m done", "bad(bold front-red) still(front-red) done()"],
  ["e[91mbrighte[49;39m", "bright(front-red)"],
  ["e[43;4mmarkede[m plain", "marked(underline back-yellow) plain()"],
  ["e[38;5;196mdeepe[48;5;21mer", "deep(front-red)er(front-red back-blue)"],
  ["e[38;2;10;200;30mtrue", "true(front-green)"],
  ["e[38;5;240mgreye[38;5;250mlight", "grey(front-black)light(front-white)"],
  ["10%e[2K\re[1G20%\r", "10%() ()20% ()"],
  ["e]8;;http://evil\u0007linke]8;;\u0007", "link()"],
  ["e]52;c;ZWNobw==", "52;c;ZWNobw==()"],
  ["a\u009B2Jb\u202Ec\u0007", "a\\u009b2Jb\\u202ec\\u0007()"],
  ["e]0;title\u0007shown", "shown()"],
  ["e[31", "31()"],
  ["cut e", "cut e()"],
])("%s", (line, expected) => {
  check(line, expected);
});

it("does not mind a line that ends in the middle", () => {
  expect(ansiSpans("a\u001B")).toEqual([{ text: "a", classes: "" }]);
  expect(plainLog("a\u001B[3")).toBe("a3");
});
