import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/json/index.ts";
import { type KubernetesObject, parseYamlStream } from "../../src/objects/index.ts";

const folder = join(import.meta.dirname, "objects");

/** The valid objects that are mutated: of each built-in kind one or more that set many of its fields. */
export function baseObjects(): readonly (KubernetesObject & JsonObject)[] {
  return readdirSync(folder).flatMap((file) => {
    const parsed = parseYamlStream(readFileSync(join(folder, file), "utf8"));
    if (parsed.kind === "problem") throw new Error(`${file}: ${parsed.message}`);
    return parsed.values as readonly (KubernetesObject & JsonObject)[];
  });
}
