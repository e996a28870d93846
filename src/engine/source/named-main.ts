import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the keelson.json of a directory names as its program; whoever reads the settings reports what is wrong. */
export async function namedMain(folder: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(folder, "keelson.json"), "utf8");
    const { main } = JSON.parse(text) as { readonly main?: unknown };
    return typeof main === "string" ? main : undefined;
  } catch {
    return undefined;
  }
}
