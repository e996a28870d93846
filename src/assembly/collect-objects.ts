import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import { isJsonObject, type JsonValue } from "../json/index.ts";
import {
  type FieldPath,
  flattenList,
  type KubernetesObject,
  type ScopeLookup,
} from "../objects/index.ts";
import { type AssemblyObject, assemblyObject, fullIdentifier } from "./assembly-object.ts";
import type { GivenObject } from "./directive.ts";

export interface CollectedObjects {
  readonly objects: readonly AssemblyObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Unrolls lists, and keeps of the objects that were given twice the last one. */
export function collectObjects(
  given: readonly GivenObject[],
  scopeOf: ScopeLookup,
  effectiveNamespace: string,
): CollectedObjects {
  const diagnostics: Diagnostic[] = [];
  const kept = new Set<AssemblyObject>();
  const byKey = new Map<string, AssemblyObject>();
  for (const one of given.flatMap((each) => unroll(each, diagnostics))) {
    const object = assemblyObject(one, scopeOf, effectiveNamespace);
    kept.add(object);
    // Names that the server makes up are all different.
    if ((one.object.metadata.name ?? "") === "") continue;
    for (const namespace of object.namespaces) {
      // One key for each namespace that it may be in: none and `default` are the same.
      const key = `${object.group}/${object.kind}/${namespace}/${object.name}`;
      const before = byKey.get(key);
      byKey.set(key, object);
      if (before === undefined || !kept.delete(before)) continue;
      if (one.allowDuplicates === true || before.given.allowDuplicates === true) continue;
      diagnostics.push(duplicate(before, object));
    }
  }
  return { objects: [...kept], diagnostics };
}

function unroll(given: GivenObject, diagnostics: Diagnostic[]): readonly GivenObject[] {
  const { object, sourceOf } = given;
  if (!object.kind.endsWith("List")) return [given];
  const items = flattenList(object as unknown as JsonValue);
  if (items.length === 1 && items[0]?.value === (object as unknown)) return [given];
  return items.flatMap(({ value, path }) => {
    const place = (below: FieldPath = []) => sourceOf([...path, ...below]);
    if (isKubernetesObject(value)) return [{ ...given, object: value, sourceOf: place }];
    diagnostics.push({
      code: "objects.not-an-object",
      severity: "error",
      summary: `an item of a ${object.kind} is no Kubernetes object`,
      hint: "Give it an apiVersion, a kind and metadata.",
      source: place(),
    });
    return [];
  });
}

function isKubernetesObject(value: unknown): value is KubernetesObject {
  return (
    isJsonObject(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    isJsonObject(value["metadata"])
  );
}

function duplicate(first: AssemblyObject, second: AssemblyObject): Diagnostic {
  const places = [first, second].map(({ given }) => {
    const at = `${given.object.apiVersion} at ${formatPosition(given.sourceOf())}`;
    return given.givenAt === undefined ? at : `${at}, given at ${formatPosition(given.givenAt)}`;
  });
  const subject = fullIdentifier(second);
  return {
    code: "objects.duplicate-object",
    severity: "error",
    summary: `${subject} occurs twice in the input`,
    detail: `It is ${places[0] ?? ""}\nand ${places[1] ?? ""}.`,
    hint: "Remove one of the two, give it another name or namespace, or allow duplicates, which keeps the last.",
    subject,
    source: second.given.sourceOf(),
  };
}
