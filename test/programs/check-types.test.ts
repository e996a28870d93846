import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderDiagnostic } from "../../src/diagnostics/index.ts";
import { checkTypes } from "../../src/sources/program/check-types.ts";
import { runKeelson } from "../cli/run-keelson.ts";

/** What the type checker says of a program; it needs dist/types, which `npm run build` makes. */
describe("types of a program", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "keelson-check-"));
    write("keelson.json", '{ "project": "typed" }');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const check = (): ReturnType<typeof runKeelson> =>
    runKeelson(["check", "."], { workingDirectory: folder, env: { HOME: folder } });
  const map = (rest: string): string =>
    `import { k8s } from "keelson";\nnew k8s.ConfigMap("a", ${rest});\n`;

  it("are in order", async () => {
    write("main.ts", map('{ data: { a: "1" } }'));
    expect(await check()).toEqual({ code: 0, stdout: "✓ 1 resource is in order\n", stderr: "" });
  });

  it("are wrong, at their place, although the program runs", async () => {
    write("main.ts", map("{ data: { a: 1 as never }, immutable: 'no' as unknown as number }"));
    const { code, stdout, stderr } = await check();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("error[program.type-error]: ");
    expect(stderr).toMatch(/\(TS\d+\)\n {2}at main\.ts:2:/);
    expect(stderr).toContain('> 2 | new k8s.ConfigMap("a"');
  });

  it("are judged by the project's own tsconfig.json", async () => {
    const paths = { keelson: [join(import.meta.dirname, "../../dist/types/index.d.ts")] };
    const loose = { module: "nodenext", target: "esnext", strict: false, types: [], paths };
    write("tsconfig.json", JSON.stringify({ compilerOptions: loose, include: ["*.ts"] }));
    write("main.ts", `${map("{}")}function f(x) { return x; }\nf(1);\n`);
    expect((await check()).code).toBe(0);
    write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions: { ...loose, strict: true }, include: ["*.ts"] }),
    );
    expect((await check()).stderr).toContain(
      "Parameter 'x' implicitly has an 'any' type. (TS7006)",
    );
  });

  it("are checked by the settings of the project, also before anything is installed", async () => {
    const settings = (more: string): string =>
      `{ "compilerOptions": { "module": "nodenext", "types": []${more} } }`;
    write("tsconfig.json", settings(""));
    write("main.ts", `${map("{}")}\nfunction twice(text) { return text + text; }\ntwice("");\n`);
    expect((await check()).code).toBe(1);
    write("tsconfig.json", settings(', "strict": false'));
    expect((await check()).code).toBe(0);
  });

  it("are not asked of JavaScript", async () => {
    write("main.js", map("{ data: {} }"));
    expect((await check()).code).toBe(0);
  });

  it("are said not to be checked without a compiler, or by one that breaks down", async () => {
    write("main.ts", map("{}"));
    const say = async (from: string): Promise<string> =>
      (
        await checkTypes({
          path: folder,
          workingFolder: folder,
          compilerFrom: [join(folder, from)],
        })
      )
        .map((each) => renderDiagnostic(each))
        .join("");
    expect(await say("x.js")).toBe(
      "warning[program.types-not-checked]: the types of main.ts were not checked: TypeScript is not installed\n  hint: npm install --save-dev typescript",
    );
    write("node_modules/typescript/package.json", '{ "bin": { "tsc": "tsc.js" } }');
    write("node_modules/typescript/tsc.js", 'console.error("no disk left"); process.exitCode = 9;');
    expect(await say("x.js")).toMatch(
      /^error\[program\.types-not-checked\]: .*tsc\.js could not check the types\n {2}no disk left$/,
    );
  });
});
