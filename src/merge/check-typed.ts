import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  isJsonObject,
} from "../json/index.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement, formatElement } from "./path-element.ts";
import { formOf, resolveForm } from "./typed-form.ts";
import type { ListType, MapType, ScalarKind, TypeNode } from "./type-node.ts";

/**
 * What keeps a value from being of a type, as an apply reports it: unknown fields, wrong types, list
 * items without keys or with equal ones. One line for each, `.spec.foo: field not declared in schema`.
 */
export function checkTyped(type: TypeNode, value: JsonValue): readonly string[] {
  const problems: string[] = [];
  check(type, value, "", problems);
  return problems;
}

function check(type: TypeNode, value: JsonValue, path: string, problems: string[]): void {
  switch (resolveForm(type, formOf(type, value))) {
    case "map":
      if (type.map !== undefined) checkMap(type.map, value, path, problems);
      return;
    case "list":
      if (type.list !== undefined) checkList(type.list, value, path, problems);
      return;
    case "scalar": {
      const problem = scalarProblem(type.scalar ?? "untyped", value);
      if (problem !== undefined) report(problems, path, problem);
      return;
    }
    case undefined:
      report(problems, path, "schema error: invalid atom: inlined");
  }
}

function checkMap(type: MapType, value: JsonValue, path: string, problems: string[]): void {
  if (value === null) return;
  if (!isJsonObject(value)) return report(problems, path, `expected map, got ${show(value)}`);
  checkEntries(type, value, path, problems);
}

function checkEntries(type: MapType, value: JsonObject, path: string, problems: string[]): void {
  for (const [key, entry] of Object.entries(value)) {
    const below = type.fields.get(key)?.type ?? type.element;
    const at = `${path}${formatElement(fieldElement(key))}`;
    if (below === undefined) report(problems, at, "field not declared in schema");
    else check(below, entry, at, problems);
  }
}

function checkList(type: ListType, value: JsonValue, path: string, problems: string[]): void {
  if (value === null) return;
  if (!Array.isArray(value)) return report(problems, path, `expected list, got ${show(value)}`);
  checkItems(type, value, path, problems);
}

function checkItems(type: ListType, list: JsonArray, path: string, problems: string[]): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (type.isAtomic) {
      check(type.element, item, `${path}[${index}]`, problems);
      continue;
    }
    const result = itemElement(type, item);
    if (result.kind === "problem") {
      return report(problems, path, `element ${index}: ${result.message}`);
    }
    const shown = formatElement(result.element);
    if (seen.has(result.element)) report(problems, path, `duplicate entries for key ${shown}`);
    seen.add(result.element);
    check(type.element, item, `${path}${shown}`, problems);
  }
}

function scalarProblem(kind: ScalarKind, value: JsonValue): string | undefined {
  if (value === null) return undefined;
  const type = typeof value;
  switch (kind) {
    case "numeric":
      return type === "number" || type === "bigint"
        ? undefined
        : `expected numeric (int or float), got ${goType(value)}`;
    case "string":
      return type === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${stringifyJson(value)}}`;
    case "boolean":
      return type === "boolean" ? undefined : `expected boolean, got ${show(value)}`;
    case "untyped":
    default:
      return type === "object" ? `expected any scalar, got ${show(value)}` : undefined;
  }
}

function goType(value: JsonValue): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : "string";
}

function show(value: JsonValue): string {
  return `&{${typeof value === "string" ? value : stringifyJson(value)}}`;
}

function report(problems: string[], path: string, message: string): void {
  problems.push(path === "" ? message : `${path}: ${message}`);
}
