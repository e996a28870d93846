import { brotliDecompressSync } from "node:zlib";
import type { ColumnDefinition } from "./column.ts";
import { columnData } from "./column-data.ts";

/** The columns of a built-in resource, by its group and plural name; unpacked when first asked for. */
export function builtinColumns(key: string): readonly ColumnDefinition[] | undefined {
  unpacked ??= JSON.parse(
    brotliDecompressSync(Buffer.from(columnData, "base64")).toString("utf8"),
  ) as Readonly<Record<string, readonly ColumnDefinition[]>>;
  return unpacked[key];
}

let unpacked: Readonly<Record<string, readonly ColumnDefinition[]>> | undefined;
