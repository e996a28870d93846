import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import { splitApiVersion } from "../../objects/api-version.ts";
import { baseObjects } from "../../../test/fidelity/base-objects.ts";
import { mutated } from "../../../test/fidelity/mutations.ts";
import judgements from "../../../test/facts/api-server-judgements.json" with { type: "json" };
import { builtinSchemas } from "../builtin-schemas.ts";
import { decodeObject } from "../decode-object.ts";
import { validateObject } from "./index.ts";

/** The fields that kube-apiserver 1.36.3 named when it refused a valid object with one change. */
interface Judgement {
  readonly of: string;
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
  readonly fields: readonly string[];
}

const valid = new Map(
  baseObjects().map((object) => [
    `${object.apiVersion} ${object.kind} ${object.metadata.name ?? ""}`,
    object,
  ]),
);

function fieldsOf(object: JsonObject): readonly string[] {
  const { apiVersion, kind } = object as { readonly apiVersion: string; readonly kind: string };
  const type = { ...splitApiVersion(apiVersion), kind };
  const decoded = decodeObject(builtinSchemas().get(type) ?? {}, object);
  return [...new Set(validateObject(type, decoded.object).map(({ field }) => field))].sort();
}

test.each([...valid])("%s is valid", (_name, object) => {
  expect(fieldsOf(object)).toEqual([]);
});

test.each(
  (judgements as unknown as readonly Judgement[]).map(
    (each) => [each.of, each.path.join("."), each] as const,
  ),
)("%s is refused for %s", (name, _path, { path, value, fields }) => {
  const change = { path, what: "changed", ...(value === undefined ? {} : { value }) };
  const object = mutated(valid.get(name) ?? {}, change);
  expect(object === undefined ? undefined : fieldsOf(object)).toEqual(fields);
});
