import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiagnosticError, renderDiagnostic } from "../../../diagnostics/index.ts";
import {
  currentSite,
  installRuntime,
  makeProvisioned,
  takeRejections,
} from "../../../resources/provisioned/index.ts";
import { instrument, rewriteCacheIn } from "./index.ts";

installRuntime();
const bucket = {
  arn: makeProvisioned({ resource: { name: "logs", label: 'Bucket "logs"' }, path: ["arn"] }),
};
class Resource {
  readonly site: unknown;
  constructor() {
    this.site = currentSite(new.target);
  }
}
Object.assign(globalThis, { bucket, Resource });

/** Rewrites a module, and gives what it exports. */
async function run(source: string, file = "main.ts"): Promise<Readonly<Record<string, unknown>>> {
  const { code } = instrument(source, file, "shop:main");
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return (await import(/* @vite-ignore */ url)) as Readonly<Record<string, unknown>>;
}

describe("instrument", () => {
  it("runs TypeScript: types go, fields without a value erase nothing", async () => {
    const { result } = await run(`
      import type { Missing } from "./missing.ts";
      import { Other } from "./other.ts";
      declare const Resource: new () => { site: object };
      enum Size { Small = 1 << 2, Large }
      namespace Names { export const { first = "a" } = {} as Record<string, string>; }
      abstract class Base { url: string; constructor(readonly port = 80) { this.url = \`:\${port}\`; } abstract f(): void }
      class Shop extends Base { override readonly url!: string; f<T extends Other>(this: Shop, x?: T): void {} }
      function over(x: string): string;
      function over(x: number): number;
      function over<T>(x: T): T { return x satisfies T as T; }
      const list = new Map<string, (a: Missing) => void>();
      const shop: Shop = new Shop(8080);
      export const result = [shop.url, shop.port, Size.Large, Names.first, over<string>("x"), list!.size];`);
    expect(result).toEqual([":8080", 8080, 5, "a", "x", 0]);
  });

  it("tells constructors the module, the class and the place", async () => {
    const { sites } = await run(
      [
        "class Shop { make() { return [new Resource, (() => new Resource())()]; } }",
        "const Named = class { static made = new Resource(); };",
        "class Bucket extends Resource {}",
        "export const sites = [new Resource(), ...new Shop().make(), Named.made,",
        "  new Bucket(1, 2)].map(({ site: { module, class: name, line, column } }) =>",
        "  [module, name, line, column].join());",
      ].join("\n"),
    );
    expect(sites).toEqual([
      "shop:main,,4,23",
      "shop:main,Shop,1,31",
      "shop:main,Shop,1,52",
      "shop:main,Named,2,37",
      "shop:main,,5,3",
    ]);
  });

  it("maps its code back to the source", () => {
    const source = "const a: number = 1;\nif (a) {\n  throw new Error(`no ${a}`);\n}\n";
    for (const file of ["main.ts", "main.js"]) {
      const text = file === "main.ts" ? source : source.replace(": number", "");
      const { code, map } = instrument(text, file, "shop:main");
      const lines = code.split("\n");
      const line = lines.findIndex((content) => content.includes("throw"));
      const column = lines[line]?.indexOf("throw") ?? 0;
      const found = new SourceMap(map as never).findEntry(line, column);
      expect(found).toMatchObject({ originalLine: 2, originalColumn: 2, originalSource: file });
    }
  });

  it("shows what is wrong with a text that is no program", () => {
    try {
      instrument("const a = 1;\nconst b = ;\n", "main.ts", "shop:main");
      expect.unreachable();
    } catch (error) {
      const [first] = (error as DiagnosticError).diagnostics;
      expect(first && renderDiagnostic(first)).toBe(
        [
          "error[program.syntax]: main.ts cannot be read: Unexpected token",
          "  at main.ts:2:11",
          "    1 | const a = 1;",
          "  > 2 | const b = ;",
          "      |           ^",
          "    3 |",
        ].join("\n"),
      );
    }
  });

  it("shows the place of a decision, and the way out", async () => {
    const source = 'const tier = (bucket.arn as string).startsWith("a")\n  ? 1 : 2;\n';
    await expect(run(source)).rejects.toThrow(DiagnosticError);
    const [first] = takeRejections();
    expect(first && renderDiagnostic(first)).toBe(
      [
        'error[program.provisioned-decision]: Bucket "logs".arn is not known before it is applied, and here it has its startsWith() called',
        "  at main.ts:1:14",
        '  > 1 | const tier = (bucket.arn as string).startsWith("a")',
        "      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "    2 |   ? 1 : 2;",
        "    3 |",
        "  A plan must be the same whatever the value turns out to be, so the program cannot depend on it.",
        "  hint: compute from it when it is known: output(value).map((value) => …)",
        "        or plan in stages, if it decides which resources there are: --allow-provisioned-conditions",
      ].join("\n"),
    );
  });

  it("lets functions show the text that the user wrote", async () => {
    const { texts } = await run(
      "const add = (a, b = 1) => a + b;\nclass A { static async m() { return `${1}`; } }\nexport const texts = [String(add), `${A.m}`, A + ''];",
      "main.js",
    );
    expect(texts).toEqual([
      "(a, b = 1) => a + b",
      "async m() { return `${1}`; }",
      "class A { static async m() { return `${1}`; } }",
    ]);
  });

  it("takes from a cache what it has rewritten before", () => {
    const folder = mkdtempSync(join(tmpdir(), "keelson-rewritten-"));
    try {
      const rewritten = (text: string, version: string): string =>
        instrument(text, "main.ts", "shop:main", { cache: rewriteCacheIn(folder, version) }).code;
      const first = rewritten("export const a: number = b + 1;", "1");
      const [file = ""] = readdirSync(join(folder, "1"));
      writeFileSync(join(folder, "1", file), "// from the cache");
      expect(rewritten("export const a: number = b + 1;", "1")).toBe("// from the cache");
      expect(rewritten("export const a: number = b + 1;", "2")).toBe(first);
      expect(rewritten("export const a: number = b + 2;", "1")).not.toBe("// from the cache");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("does without a cache that cannot be written to", () => {
    const cache = rewriteCacheIn("/dev/null/nowhere", "1");
    const { code } = instrument("export const a = b + 1;", "main.js", "shop:main", { cache });
    expect(code).toBe(instrument("export const a = b + 1;", "main.js", "shop:main").code);
  });
});
