import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv, type SchemaObject } from "ajv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectSettings } from "../../src/sources/program/project-settings.ts";
import { environmentOf, findProject } from "../../src/sources/program/find-project.ts";
import { runKeelson } from "../cli/run-keelson.ts";

const schemaFile = "schema/keelson.schema.json";
const schema = JSON.parse(await readFile(schemaFile, "utf8")) as SchemaObject & {
  readonly properties: Readonly<Record<string, unknown>>;
};
const isValid = new Ajv({ allErrors: true }).compile(schema);

/** Editors follow the schema, commands the reader: what one takes, the other must take too. */
describe("the schema of keelson.json", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "keelson-schema-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const isRead = (text: string): boolean => {
    writeFileSync(join(folder, "keelson.json"), text);
    try {
      environmentOf(undefined, findProject(folder));
      return true;
    } catch {
      return false;
    }
  };

  it("has the settings of the reader, with examples that both take", () => {
    expect(Object.keys(schema.properties)).toEqual(Object.keys(projectSettings));
    for (const [name, { examples }] of Object.entries(projectSettings))
      for (const example of examples) {
        const settings = { [name]: example };
        expect([settings, isValid(settings), isRead(JSON.stringify(settings))]).toEqual([
          settings,
          true,
          true,
        ]);
      }
  });

  it.each([
    ["a setting that there is not", { projct: "shop" }],
    ["a name that objects have by themselves", { constructor: "shop" }],
    ["a name that is no text", { project: 3 }],
    ["a name that is empty", { project: "" }],
    ["nothing for a name", { project: null }],
    ["an environment that cannot be part of names", { project: "shop", env: "a b" }],
    ["an environment of three parts", { project: "shop", env: "a:b:c" }],
    ["a namespace that is no text", { namespace: {} }],
    ["a list of programs", { main: ["a.ts"] }],
    ["a context that is no list", { allowedContexts: "team" }],
    ["contexts that are no texts", { allowedContexts: [1] }],
    ["a schema that is no text", { $schema: true }],
    ["a list", []],
    ["a text", "shop"],
  ])("refuses %s, as the reader does", (_what, settings) => {
    expect({ schema: isValid(settings), reader: isRead(JSON.stringify(settings)) }).toEqual({
      schema: false,
      reader: false,
    });
  });

  it("takes every keelson.json of the examples and the documents", async () => {
    const texts = new Map<string, string>();
    for await (const file of glob("examples/**/keelson.json"))
      texts.set(file, await readFile(file, "utf8"));
    for await (const page of glob("docs/**/*.md"))
      for (const [, text = ""] of (await readFile(page, "utf8")).matchAll(
        /^```json keelson\.json\n(.*?)^```/gms,
      ))
        texts.set(page, text);
    expect(texts.size).toBeGreaterThan(10);
    for (const [place, text] of texts) {
      const settings: unknown = JSON.parse(text);
      expect([place, isValid(settings), isValid.errors]).toEqual([place, true, null]);
      expect([place, isRead(text)]).toEqual([place, true]);
    }
  });

  it("is named by what `keelson init` writes, where npm installs it", async () => {
    const { code } = await runKeelson(["init", "shop"], { workingDirectory: folder });
    expect(code).toBe(0);
    const settings: unknown = JSON.parse(await readFile(join(folder, "shop/keelson.json"), "utf8"));
    expect(isValid(settings)).toBe(true);
    expect(settings).toMatchObject({ $schema: `./node_modules/keelson/${schemaFile}` });
    const { exports } = JSON.parse(await readFile("package.json", "utf8")) as {
      exports: Readonly<Record<string, unknown>>;
    };
    expect(exports[`./${schemaFile}`]).toBe(`./${schemaFile}`);
  });

  it("is not needed to learn which setting was probably meant", async () => {
    writeFileSync(join(folder, "keelson.json"), '{ "projct": "shop" }');
    writeFileSync(join(folder, "main.ts"), "");
    const { code, stderr } = await runKeelson(["check", "."], { workingDirectory: folder });
    expect({ code, stderr: stderr.replaceAll(folder, "") }).toEqual({
      code: 1,
      stderr: [
        'error[program.project]: /keelson.json has no setting "projct"',
        "  Its settings are $schema, project, env, namespace, values, main, allowedContexts.",
        '  hint: Write "project" instead.',
        "",
      ].join("\n"),
    });
  });
});
