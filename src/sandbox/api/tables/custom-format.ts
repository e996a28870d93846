import type { JsonValue } from "../../../json/index.ts";
import {
  evaluateJsonPath,
  evaluateTemplate,
  type JsonPath,
  parseJsonPath,
} from "../../../objects/index.ts";
import type { CustomResource, PrinterColumn } from "../served-resource.ts";
import { timeSince } from "./age.ts";
import type { ColumnDefinition, TableFormat } from "./column.ts";
import { builtinColumns } from "./column-definitions.ts";

/** How a custom resource is printed: by the columns of its definition. */
export function customFormat({ columns }: CustomResource): TableFormat {
  const paths = columns.map(({ jsonPath }) => parseJsonPath(`{${jsonPath}}`).value);
  return {
    columns: [...metadataColumns().slice(0, 1), ...columns.map(definitionOf)],
    cells: (object, now) => [
      object.metadata.name,
      ...columns.map(({ type }, index) =>
        cellOf(type, paths[index], object as unknown as JsonValue, now),
      ),
    ],
  };
}

/** Name and creation time, which every kind has. */
function metadataColumns(): readonly ColumnDefinition[] {
  return builtinColumns("/serviceaccounts") ?? [];
}

function definitionOf(column: PrinterColumn): ColumnDefinition {
  const { name, type, format = "", priority = 0, jsonPath } = column;
  const description = column.description ?? "";
  return { name, type, format, description: description || describe(name, jsonPath), priority };
}

function describe(name: string, jsonPath: string): string {
  const isAge = name === "Age" && jsonPath === ".metadata.creationTimestamp";
  return isAge
    ? (metadataColumns()[1]?.description ?? "")
    : `Custom resource definition column (in JSONPath format): ${jsonPath}`;
}

function cellOf(type: string, path: JsonPath | undefined, object: JsonValue, now: number): unknown {
  if (path === undefined) return null;
  const [value] = evaluateJsonPath(path, object, { allowMissingKeys: true }).value;
  if (value === undefined || value === null) return null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : asBigint(value);
    case "number":
      return typeof value === "number" ? value : asBigint(value);
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateText(value, now) : null;
    default:
      return typeof value === "string" ? value : textOf(path, object);
  }
}

function asBigint(value: JsonValue): bigint | null {
  return typeof value === "bigint" ? value : null;
}

function dateText(value: string, now: number): string {
  return Number.isNaN(Date.parse(value)) ? "<invalid>" : timeSince(value, now);
}

function textOf(path: JsonPath, object: JsonValue): string {
  return evaluateTemplate(path, object, { allowMissingKeys: true }).value;
}
