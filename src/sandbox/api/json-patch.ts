import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  setField,
} from "../../json/index.ts";
import { StatusError, badRequest } from "./status.ts";

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

const mostOperations = 10_000;

/** Applies an RFC 6902 patch; the given value is left as it is. */
export function applyJsonPatch(value: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch))
    throw badRequest("error decoding patch: a JSON patch is a list of operations");
  if (patch.length > mostOperations) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`;
    throw new StatusError(413, "RequestEntityTooLarge", message);
  }
  let result = structuredClone(value);
  for (const operation of patch) result = applyOperation(result, readOperation(operation));
  return result;
}

function readOperation(value: JsonValue): Operation {
  const operation = value as unknown as Partial<Operation> | null;
  if (typeof operation !== "object" || operation === null || typeof operation.op !== "string") {
    throw badRequest("error decoding patch: an operation needs op and path");
  }
  if (typeof operation.path !== "string")
    throw badRequest("error decoding patch: an operation needs a path");
  return operation as Operation;
}

function applyOperation(document: JsonValue, operation: Operation): JsonValue {
  const path = pointer(operation.path);
  switch (operation.op) {
    case "add":
      return add(document, path, valueOf(operation), operation.path);
    case "replace":
      return replace(document, path, valueOf(operation), operation.path);
    case "remove":
      remove(document, path, operation.path);
      return document;
    case "test":
      test(document, path, operation);
      return document;
    case "move": {
      const from = pointer(operation.from ?? "");
      const moved = get(document, from, operation.from ?? "");
      remove(document, from, operation.from ?? "");
      return add(document, path, moved, operation.path);
    }
    case "copy": {
      const copied = structuredClone(
        get(document, pointer(operation.from ?? ""), operation.from ?? ""),
      );
      return add(document, path, copied, operation.path);
    }
    default:
      throw unprocessable(`unexpected kind: ${operation.op}`);
  }
}

function valueOf(operation: Operation): JsonValue {
  if (operation.value === undefined)
    throw unprocessable(`${operation.op} operation needs a value: ${operation.path}`);
  return structuredClone(operation.value);
}

function pointer(path: string): readonly string[] {
  if (path === "") return [];
  return path
    .split("/")
    .slice(1)
    .map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function parentOf(
  document: JsonValue,
  path: readonly string[],
  text: string,
  operation: "add" | "remove" | "replace",
): JsonValue[] | JsonObject {
  const parent = find(document, path.slice(0, -1), text);
  if (typeof parent === "object" && parent !== null) return parent;
  const shown = operation === "replace" ? text : JSON.stringify(text);
  const why = `doc is missing path: ${shown}: missing value`;
  throw unprocessable(`${operation} operation does not apply: ${why}`);
}

function get(document: JsonValue, path: readonly string[], text: string): JsonValue {
  const found = find(document, path, text);
  if (found === undefined) throw missing(text);
  return found;
}

function find(document: JsonValue, path: readonly string[], text: string): JsonValue | undefined {
  let current = document;
  for (const word of path) {
    const next: JsonValue | undefined = Array.isArray(current)
      ? current[indexOf(word, current.length - 1, text)]
      : isJsonObject(current) && Object.hasOwn(current, word)
        ? current[word]
        : undefined;
    if (next === undefined) return undefined;
    current = next;
  }
  return current;
}

function add(
  document: JsonValue,
  path: readonly string[],
  value: JsonValue,
  text: string,
): JsonValue {
  if (path.length === 0) return value;
  const parent = parentOf(document, path, text, "add");
  const key = path.at(-1) ?? "";
  if (Array.isArray(parent))
    parent.splice(key === "-" ? parent.length : indexOf(key, parent.length, text), 0, value);
  else setField(parent, key, value);
  return document;
}

function replace(
  document: JsonValue,
  path: readonly string[],
  value: JsonValue,
  text: string,
): JsonValue {
  if (path.length === 0) return value;
  const parent = parentOf(document, path, text, "replace");
  const key = path.at(-1) ?? "";
  if (Array.isArray(parent)) parent[indexOf(key, parent.length - 1, text)] = value;
  else setField(parent, key, value);
  return document;
}

function remove(document: JsonValue, path: readonly string[], text: string): void {
  const parent = parentOf(document, path, text, "remove");
  const key = path.at(-1) ?? "";
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length - 1, text), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else {
    const why = `Unable to remove nonexistent key: ${key}: missing value`;
    throw unprocessable(`error in remove for path: '${text}': ${why}`);
  }
}

function test(document: JsonValue, path: readonly string[], operation: Operation): void {
  const found = stringifyJson(get(document, path, operation.path));
  if (found !== stringifyJson(operation.value ?? null)) {
    throw new TestFailed(`testing value ${operation.path} failed`);
  }
}

function indexOf(word: string, last: number, text: string): number {
  const index = /^(?:0|-?[1-9]\d*)$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isNaN(index) || index > last || index < 0) throw missing(text);
  return index;
}

function missing(path: string): StatusError {
  return unprocessable(`the path "${path}" does not exist`);
}

function unprocessable(message: string): StatusError {
  return new PatchRefused(message);
}

/** A patch that does not fit the document; `why` is what the patch library says. */
export class PatchRefused extends StatusError {
  readonly why: string;

  constructor(why: string) {
    const message = `the server rejected our request due to an error in our request: ${why}`;
    super(422, "Invalid", message, {});
    this.why = why;
  }
}

/** The document is not what the patch was made for. */
export class TestFailed extends PatchRefused {}
