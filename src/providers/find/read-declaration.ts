import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { isJsonObject } from "../../json/index.ts";
import { kindInWords } from "../run/json-problem.ts";

/** How a package says that its provider is run. */
export type ProviderDeclaration =
  | { readonly kind: "module"; readonly path: string }
  | { readonly kind: "command"; readonly command: readonly string[] };

export interface PackageManifest {
  readonly folder: string;
  readonly name: string | undefined;
  /** What stands in it as `keelson.provider`; undefined when nothing does. */
  readonly provider: unknown;
  /** What stands in it as `keelson.bundlePlugin`. */
  readonly bundlePlugin: unknown;
}

/** The package.json of a folder, as far as providers are concerned; undefined without one. */
export async function readManifest(folder: string): Promise<PackageManifest | undefined> {
  const file = join(folder, "package.json");
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return fail({
      code: "provider.invalid-declaration",
      summary: `reading ${file}: ${(error as Error).message}`,
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    fail({
      code: "provider.invalid-declaration",
      summary: `${file} is not valid JSON: ${(error as Error).message}`,
      cause: error,
    });
  }
  const manifest: Record<string, unknown> = isJsonObject(value) ? value : {};
  const keelson = manifest["keelson"];
  return {
    folder,
    name: typeof manifest["name"] === "string" ? manifest["name"] : undefined,
    provider: isJsonObject(keelson) ? keelson["provider"] : undefined,
    bundlePlugin: isJsonObject(keelson) ? keelson["bundlePlugin"] : undefined,
  };
}

/** Reads `keelson.provider`: the path of a module, or the command of a process. */
export function readDeclaration({ folder, provider }: PackageManifest): ProviderDeclaration {
  if (typeof provider === "string" && provider !== "") return { kind: "module", path: provider };
  const command = isJsonObject(provider) ? provider["command"] : undefined;
  if (isCommand(command)) return { kind: "command", command };
  const found = isJsonObject(provider)
    ? `an object whose command is ${kindInWords(command)}`
    : provider === ""
      ? "an empty text"
      : kindInWords(provider);
  return fail({
    code: "provider.invalid-declaration",
    summary: `keelson.provider in ${join(folder, "package.json")} is ${found}`,
    hint: 'write "./provider.js", or { "command": ["python3", "provider.py"] }',
  });
}

function isCommand(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === "string") &&
    value[0] !== ""
  );
}
