import { asObject, parseJson, stringifyJson } from "../../json/index.ts";
import type { PersistedObject } from "../store/persistence.ts";

/** Everything that a sandbox remembers. */
export interface Snapshot {
  /** The version of its latest write. */
  readonly revision: number;
  readonly objects: readonly PersistedObject[];
}

export type ReadSnapshot =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  | { readonly kind: "problem"; readonly line: number; readonly message: string };

/** Where a sandbox that is being served gives its snapshot to its administrator. */
export const snapshotPath = "/sandbox.keelson.dev/snapshot";
const kind = "SandboxSnapshot";
const formatVersion = 1;

/** One line says what it is, each other line is one object: it can be read and compared by line. */
export function* snapshotLines(
  revision: number,
  objects: Iterable<PersistedObject>,
): Generator<string> {
  yield `${JSON.stringify({ kind, format: formatVersion, revision })}\n`;
  for (const { resource, namespace, name, revision: written, json } of objects) {
    const head = JSON.stringify({ resource, namespace, name, revision: written });
    yield `${head.slice(0, -1)},"object":${json}}\n`;
  }
}

/** Reads all of a snapshot before anything is done with it. */
export function readSnapshot(text: string): ReadSnapshot {
  const lines = text.split("\n");
  const first = parseLine(lines[0] ?? "");
  const revision = first?.["revision"];
  if (first?.["kind"] !== kind || typeof revision !== "number") {
    return { kind: "problem", line: 1, message: "this is not a snapshot of a sandbox" };
  }
  if (first["format"] !== formatVersion) {
    return { kind: "problem", line: 1, message: "it was written by a newer Keelson" };
  }
  const objects: PersistedObject[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === "") continue;
    const object = readLine(line);
    if (object === undefined) {
      return { kind: "problem", line: index + 1, message: "this line is not an object" };
    }
    objects.push(object);
  }
  return { kind: "snapshot", snapshot: { revision, objects } };
}

function readLine(line: string): PersistedObject | undefined {
  const value = parseLine(line);
  const { resource, namespace, name, revision, object } = value ?? {};
  const isObject = typeof object === "object" && object !== null && "metadata" in object;
  if (
    typeof resource !== "string" ||
    typeof namespace !== "string" ||
    typeof name !== "string" ||
    typeof revision !== "number" ||
    !isObject
  ) {
    return undefined;
  }
  return { resource, namespace, name, revision, json: stringifyJson(object) };
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(parseJson(line));
  } catch {
    return undefined;
  }
}
