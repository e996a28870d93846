import { createHash } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../processes/index.ts";
import { type JsonObject, type JsonValue, equalValues } from "../../json/index.ts";
import { filledText, type InputRule, textInput, inputText } from "./input-shape.ts";
import { createFile, type FileContents, replaceFile, unfinishedOf } from "./put-file.ts";
import type { ResourceType } from "./resource-type.ts";

const usualMode = 0o644;
const modeBits = 0o7777;

const mode: InputRule = (value) =>
  readMode(value) === undefined ? 'a mode such as "0644"' : undefined;

/** A file of this machine, known by its path. */
export function localFile(projectFolder: string): ResourceType {
  const pathOf = (inputs: JsonObject): string => resolve(projectFolder, inputText(inputs, "path"));
  return {
    shape: {
      path: { rule: filledText, isRequired: true },
      content: { rule: textInput, isRequired: true },
      mode: { rule: mode },
    },
    fixedInputs: ["path"],
    create: async (inputs) => {
      const path = pathOf(inputs);
      makeFolder(dirname(path));
      // A run that was killed may have left it.
      await rm(unfinishedOf(path), { force: true });
      if (
        !(await createFile(path, contentsOf(inputs))) &&
        !equalValues(await readOutputs(path), outputsOf(path, inputs))
      )
        throw new Error(`${path} is there already, with other contents`);
      return { id: path, outputs: outputsOf(path, inputs) };
    },
    read: async (id) => readOutputs(id),
    update: async (id, _oldInputs, newInputs) => {
      makeFolder(dirname(id));
      await rm(unfinishedOf(id), { force: true });
      await replaceFile(id, contentsOf(newInputs));
      return outputsOf(id, newInputs);
    },
    delete: async (id) => {
      await rm(unfinishedOf(id), { force: true });
      await rm(id, { force: true });
    },
    find: async (inputs) => {
      const path = pathOf(inputs);
      const outputs = outputsOf(path, inputs);
      await rm(unfinishedOf(path), { force: true });
      return equalValues(await readOutputs(path), outputs) ? { id: path, outputs } : undefined;
    },
  };
}

function contentsOf(inputs: JsonObject): FileContents {
  return { content: inputText(inputs, "content"), mode: modeOf(inputs) };
}

function outputsOf(path: string, inputs: JsonObject): JsonObject {
  return { path, sha256: sha256(inputText(inputs, "content")), mode: modeText(modeOf(inputs)) };
}

async function readOutputs(path: string): Promise<JsonObject | undefined> {
  try {
    const [content, found] = await Promise.all([readFile(path), stat(path)]);
    return { path, sha256: sha256(content), mode: modeText(found.mode & modeBits) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function modeOf(inputs: JsonObject): number {
  return readMode(inputs["mode"] ?? usualMode) ?? usualMode;
}

/** Texts are octal, as everywhere; numbers are what the program wrote as 0o644. */
function readMode(value: JsonValue): number | undefined {
  if (typeof value === "string")
    return /^[0-7]{3,5}$/.test(value) ? Number.parseInt(value, 8) & modeBits : undefined;
  const isMode =
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= modeBits;
  return isMode ? value : undefined;
}

function modeText(value: number): string {
  return value.toString(8).padStart(4, "0");
}
