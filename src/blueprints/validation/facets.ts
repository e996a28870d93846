import { equalValues, type JsonValue } from "../../json/index.ts";
import { type JsonPath, parseJsonPath } from "../../objects/index.ts";
import type { Schema } from "../../schema/index.ts";
import { blueprintVersion } from "../groups.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { emittedKey } from "../requirements/judge.ts";
import type { Requirement } from "../requirements/requirement.ts";
import { schemaOf } from "./schema-of.ts";

/** One thing that requirements look at, with the values that they name. */
export interface Facet {
  readonly key: string;
  readonly path: JsonPath;
  readonly values: readonly JsonValue[];
  /** Whether it is of what earlier steps emit, not of the owner. */
  readonly isEmitted: boolean;
}

/** What a set of requirements can tell apart: the same field or label is one thing however written. */
export function facetsOf(
  requirements: readonly Requirement[],
  ownerName: string,
): readonly Facet[] {
  const facets = new Map<string, { path: JsonPath; values: JsonValue[]; isEmitted: boolean }>();
  for (const requirement of requirements) {
    const key = keyOf(requirement, ownerName);
    const { value: path } = parseJsonPath(key);
    if (path === undefined) continue;
    const facet = facets.get(key) ?? {
      path,
      values: [],
      isEmitted: emittedKey(key) !== undefined,
    };
    facets.set(key, facet);
    for (const value of requirement.values)
      if (!facet.values.some((each) => equalValues(each, value))) facet.values.push(value);
  }
  return [...facets].map(([key, facet]) => ({ key, ...facet }));
}

function keyOf(requirement: Requirement, ownerName: string): string {
  const { kind, key } = requirement;
  if (kind === "label") return `${ownerName}.metadata.labels['${key.replaceAll(".", "\\.")}']`;
  const plain = key.replaceAll(
    /\['([^'\\]*)'\]/g,
    (_all, name: string) => `['${name.replaceAll(".", "\\.")}']`,
  );
  return /^(?:spec|metadata)\b/.test(plain) ? `${ownerName}.${plain}` : plain;
}

/** The values worth trying: nothing, each that is named, and another one. */
export function candidateValues(
  { path, values, isEmitted }: Facet,
  { group, family }: Pick<Blueprint, "group" | "family">,
): readonly (JsonValue | undefined)[] {
  const owner = {
    apiVersion: `${group}/${blueprintVersion}`,
    kind: family.ownerKind,
    metadata: {},
  };
  const schema = isEmitted ? undefined : schemaAt(schemaOf(owner), path);
  return [undefined, ...values, anotherValue(schema, values)];
}

/** The schema of the field that a path leads to. */
function schemaAt(schema: Schema | undefined, { parts }: JsonPath): Schema | undefined {
  const [only] = parts;
  if (only?.kind !== "action") return undefined;
  let at = schema;
  for (const step of only.steps.slice(1)) {
    if (at === undefined) return undefined;
    if (step.kind === "field") {
      const additional = at.additionalProperties;
      at =
        at.properties?.get(step.name) ?? (typeof additional === "object" ? additional : undefined);
    } else if (step.kind === "slice" || step.kind === "filter") at = at.items;
  }
  return at;
}

/** A value of the right type that none of the requirements names. */
function anotherValue(schema: Schema | undefined, values: readonly JsonValue[]): JsonValue {
  const ofType = ((): readonly JsonValue[] => {
    switch (schema?.type) {
      case "object":
        return [{}];
      case "array":
        return [[]];
      case "boolean":
        return [true, false];
      case "integer":
      case "number":
        return [1, 2, 3, 4, 5];
      case "string":
      case undefined:
        return ["example", "another", "something", "else"];
    }
  })();
  const free = ofType.find((each) => !values.some((value) => equalValues(value, each)));
  return free ?? ofType[0] ?? "example";
}
