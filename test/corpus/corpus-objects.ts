import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DiagnosticError } from "../../src/diagnostics/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";

export interface CorpusObject {
  readonly file: string;
  readonly object: KubernetesObject;
}

/** Every object in the YAML below a folder, once; what is no manifest, or a template of one, is left out. */
export function corpusObjects(folder: string): readonly CorpusObject[] {
  const seen = new Set<string>();
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      if (!/^ *"?kind"?:/m.test(text) || text.includes("{{")) return [];
      return objectsOf(text, file).filter(({ object }) => {
        const key = JSON.stringify(object);
        const isNew = !seen.has(key);
        seen.add(key);
        return isNew;
      });
    });
}

export function objectsOf(text: string, file: string): readonly CorpusObject[] {
  try {
    return readObjectsFromText(file, text).objects.map(({ object }) => ({ file, object }));
  } catch (error) {
    if (error instanceof DiagnosticError) return [];
    throw error;
  }
}
