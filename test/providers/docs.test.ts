import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProviders } from "../../src/providers/index.ts";

const page = await readFile(join(import.meta.dirname, "../../docs/providers.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language: language ?? "",
  text: text ?? "",
}));

it.each([
  ["js", "provider.js"],
  ["python", "provider.py"],
])("the provider of the documentation in %s works", async (language, file) => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-docs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const index = blocks.findIndex((block) => block.language === language);
  writeFileSync(join(folder, file), blocks[index]?.text ?? "");
  writeFileSync(join(folder, "package.json"), blocks[index - 1]?.text ?? "");
  const host = openProviders({
    projectFolder: folder,
    environment: { PATH: process.env["PATH"] },
  });
  onTestFinished(() => host.close());

  const provider = await host.provider("notes");
  const context = {
    type: "notes:index/Note",
    name: "a-note",
    signal: new AbortController().signal,
    log: () => {},
  };
  const path = join(folder, "note.txt");
  const inputs = { path, text: "hello" };
  expect(await provider.create(inputs, context)).toEqual({ id: path, outputs: { length: 5 } });
  await expect(provider.create(inputs, context)).rejects.toThrow(
    /creating a-note failed: .*exists/,
  );
  const longer = { path, text: "good bye" };
  expect(await provider.update(path, inputs, longer, context)).toEqual({ length: 8 });
  expect(await provider.read(path, context)).toEqual({ length: 8 });
  await provider.delete(path, context);
  await provider.delete(path, context);
  expect(await provider.read(path, context)).toBe(undefined);
});
