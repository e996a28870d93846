import { brotliDecompressSync } from "node:zlib";
import { builtinSchemas } from "./builtin-schemas.ts";

/** What the Kubernetes documentation says of one built-in type and of its fields. */
export interface TypeDescription {
  readonly description: string;
  readonly properties: ReadonlyMap<string, string>;
}

/**
 * The descriptions of the built-in types by definition name. They are five times as large as the
 * structure and only `explain` needs them, so they are a module of their own, loaded when asked for.
 */
export async function loadBuiltinDescriptions(): Promise<ReadonlyMap<string, TypeDescription>> {
  const { descriptions } = await import("./data/descriptions.ts");
  const text = brotliDecompressSync(Buffer.from(descriptions, "base64")).toString("utf8");
  const rows = JSON.parse(text) as readonly (readonly string[])[];
  const schemas = builtinSchemas();
  return new Map(
    schemas.definitionNames.map((name, index) => {
      const [description = "", ...texts] = rows[index] ?? [];
      const keys = [...(schemas.definition(name)?.properties?.keys() ?? [])];
      return [
        name,
        { description, properties: new Map(keys.map((key, at) => [key, texts[at] ?? ""])) },
      ];
    }),
  );
}
