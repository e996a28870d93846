import { describe, expect, test } from "vitest";
import { programText, withProgram } from "./program-world.ts";

const header = 'import { random } from "keelson";\nconst id = new random.Id({ bytes: 4 });\n';

describe("stacks show the program as it was written", () => {
  const source = `${header}
interface Unused { readonly a: string }
class Problem extends Error {}
function fails(kind: string): never {
  if (kind === "own") throw new Problem("no");
  throw new TypeError(\`no \${kind}\`);
}
class Shop {
  open(kind: string): never { return [kind].map((each) => fails(each))[0] as never; }
}
for (const kind of ["own", "other"]) {
  try {
    new Shop().open(kind);
  } catch (error) {
    console.log((error as Error).stack);
  }
}
`;

  test("each frame at its place, none of ours between them", async () => {
    await withProgram(source, {}, ({ evaluation: { diagnostics }, printed }) => {
      expect(diagnostics).toEqual([]);
      const shown = printed()
        .replaceAll(/\(?file:\S*\/(main\.ts:\d+:\d+)\)?/g, "$1")
        .replaceAll(/\n.*node:.*/g, "");
      expect(shown).toBe(
        [
          "Error: no",
          "    at fails main.ts:7:29",
          "    at main.ts:11:59",
          "    at Array.map (<anonymous>)",
          "    at Shop.open main.ts:11:38",
          "    at main.ts:15:5",
          "TypeError: no other",
          "    at fails main.ts:8:9",
          "    at main.ts:11:59",
          "    at Array.map (<anonymous>)",
          "    at Shop.open main.ts:11:38",
          "    at main.ts:15:5",
          "",
        ].join("\n"),
      );
    });
  });

  test("a program may ask for more frames, or none", async () => {
    const asking = "Error.stackTraceLimit = 0; console.log(new Error('x').stack);";
    await withProgram(asking, {}, ({ printed }) => {
      expect(printed()).toBe("Error: x\n");
    });
  });
});

describe("a decision that the value itself has to refuse has a place", () => {
  const places: readonly (readonly [source: string, place: string])[] = [
    ["function f([a]: any) { return a; }\nf(id.hex);", "main.ts:3:11"],
    ["for (const [a, b] of [id.hex as any]) { }", "main.ts:3:"],
    ["const { x: [a] } = { x: id.hex };", "main.ts:3:"],
    ["const { x: { ...rest } } = { x: id.hex as any };", "main.ts:3:"],
    ["const text =\n  `${[id.hex]}`;", "main.ts:4:"],
    ["process.env.FOO = id.hex;", "main.ts:3:"],
    ["new URL('http://a/').pathname = id.hex;", "main.ts:3:"],
    ["class E extends Error {}\nnew E(id.hex);", "main.ts:3:1"],
  ];
  test.each(places)("%s", async (source, place) => {
    const text = await programText(`${header}${source}\n`);
    expect(text).toContain("error[program.provisioned-decision]: Id.hex is not known");
    expect(text).toContain(`\n  at ${place}`);
  });
});
