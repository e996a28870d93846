import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { applyConfiguration, type ConfigurationResult } from "./apply-configuration.ts";
import type { ManagedFieldsEntry } from "../objects/kubernetes-object.ts";
import { fieldSetOf } from "./field-set.ts";
import { decodeFieldsV1 } from "./fields-v1.ts";
import { lastAppliedAnnotation } from "./last-applied.ts";
import { formatPath } from "./path-element.ts";
import { ownersAfterScale, ownersOfScale } from "./scale-owners.ts";
import { updateManagers } from "./update-owners.ts";

const schema = crdSchema({
  type: "object",
  properties: {
    data: { type: "object", additionalProperties: { type: "string" } },
    list: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
});
const kind = { apiVersion: "example.com/v1", schema };
const empty: JsonObject = { apiVersion: "example.com/v1", kind: "Thing" };

function thing(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { ...empty, metadata: { name: "a", ...metadata }, data };
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}

function update(live: JsonObject, updated: JsonObject, manager: string, second = 0): JsonObject {
  return updateManagers({ ...kind, live, updated, manager, now: at(second) }).object;
}

function apply(
  live: JsonObject,
  applied: JsonObject,
  manager: string,
  second = 0,
): ConfigurationResult {
  return applyConfiguration({ ...kind, live, empty, applied, manager, now: at(second) });
}

function owners(object: JsonObject): readonly string[] {
  const { managedFields = [] } = object["metadata"] as { managedFields?: ManagedFieldsEntry[] };
  return managedFields.map((entry) => {
    const paths = [...(decodeFieldsV1(entry.fieldsV1)?.paths() ?? [])].map(formatPath);
    return `${entry.manager} ${entry.operation} ${entry.apiVersion}: ${paths.join(" ")}`;
  });
}

function appliedObject(result: ConfigurationResult): JsonObject {
  return result.kind === "applied" ? result.object : { refused: result.message };
}

test("what was there before the first apply has an owner of that name", () => {
  const stored = thing({ a: "1" }, { uid: "u" });
  expect(owners(appliedObject(apply(stored, thing({ a: "1" }), "m")))).toEqual([
    "m Apply example.com/v1: .data.a",
    "before-first-apply Update example.com/v1: .data .data.a",
  ]);
});

test("cleared managedFields stay cleared until an apply", () => {
  const first = update(empty, thing({ a: "1" }), "u");
  const stored = { ...first, metadata: { ...(first["metadata"] as JsonObject), uid: "u" } };
  const cleared = update(stored, thing({ a: "1" }, { uid: "u", managedFields: [{}] }), "v");
  expect(owners(cleared)).toEqual([]);
  expect(owners(update(cleared, thing({ a: "2" }, { uid: "u" }), "w"))).toEqual([]);
});

test("a client may send managedFields, and nonsense is ignored", () => {
  const first = update(empty, thing({ a: "1" }), "u");
  const entries = (first["metadata"] as JsonObject)["managedFields"] ?? [];
  const stored = thing({ a: "1" }, { uid: "u", managedFields: entries });
  const nonsense = [{ manager: "x", operation: "Nothing" }];
  const sent = thing({ a: "1", b: "2" }, { uid: "u", managedFields: nonsense });
  expect(owners(update(stored, sent, "v"))).toEqual([
    "u Update example.com/v1: .data .data.a",
    "v Update example.com/v1: .data.b",
  ]);
});

test("the oldest of more than ten updaters are lumped together", () => {
  let live: JsonObject = empty;
  const data: JsonObject = {};
  for (let index = 0; index < 12; index += 1) {
    data[`k${index}`] = "x";
    const entries = (live["metadata"] as JsonObject | undefined)?.["managedFields"];
    const metadata: JsonObject = {
      uid: "u",
      ...(entries === undefined ? {} : { managedFields: entries }),
    };
    const base = index === 0 ? empty : { ...live, metadata };
    live = update(base, thing({ ...data }, metadata), `u${index}`, index);
  }
  expect(owners(live).slice(0, 2)).toEqual([
    "ancient-changes Update example.com/v1: .data .data.k0 .data.k1 .data.k2",
    "u3 Update example.com/v1: .data.k3",
  ]);
  expect(owners(live)).toHaveLength(10);
});

test("kubectl takes over what client-side apply left, and keeps its annotation in step", () => {
  const configuration = thing({ a: "1" });
  const annotations = { [lastAppliedAnnotation]: JSON.stringify(configuration) };
  const left = update(empty, thing({ a: "1" }, { annotations }), "kubectl-client-side-apply");
  const result = appliedObject(apply(left, thing({ a: "<2>" }), "kubectl"));
  expect(result["data"]).toEqual({ a: "<2>" });
  const metadata = result["metadata"] as JsonObject;
  expect(metadata["annotations"]).toEqual({
    [lastAppliedAnnotation]: `${String.raw`{"apiVersion":"example.com/v1","data":{"a":"\u003c2\u003e"},"kind":"Thing","metadata":{"name":"a"}}`}\n`,
  });
  const other = apply(left, thing({ a: "2" }), "other");
  expect(other).toMatchObject({
    kind: "conflicts",
    message:
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example.com/v1: .data.a',
  });
});

test("owners in another version are compared in it; those in versions that are gone are dropped", () => {
  const entry = (apiVersion: string): ManagedFieldsEntry => ({
    manager: apiVersion,
    operation: "Update",
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:a": {} } },
  });
  const managedFields = [entry("example.com/v1beta1"), entry("example.com/v0")];
  const live = {
    ...thing({ a: "1" }),
    metadata: { name: "a", managedFields },
  } as unknown as JsonObject;
  const request = { ...kind, live, empty, manager: "m", now: at(0) };
  const otherVersions = new Map([["example.com/v1beta1", schema]]);
  expect(
    applyConfiguration({ ...request, otherVersions, applied: thing({ a: "2" }) }),
  ).toMatchObject({
    message:
      'Apply failed with 1 conflict: conflict with "example.com/v1beta1" using example.com/v1beta1: .data.a',
  });
  const same = applyConfiguration({ ...request, otherVersions, applied: thing({ a: "1" }) });
  expect(owners(appliedObject(same))).toEqual([
    "m Apply example.com/v1: .data.a",
    "example.com/v1beta1 Update example.com/v1beta1: .data.a",
  ]);
});

test("a list that has become atomic is owned as a whole", () => {
  const granular = appliedObject(apply(empty, { ...thing({}), list: ["x"] }, "m"));
  const atomic = crdSchema({
    type: "object",
    properties: {
      data: { type: "object", additionalProperties: { type: "string" } },
      list: { type: "array", items: { type: "string" } },
    },
  });
  const next = applyConfiguration({
    ...kind,
    schema: atomic,
    live: granular,
    empty,
    applied: { ...thing({}), list: ["y"] },
    manager: "n",
    now: at(0),
  });
  expect(next).toMatchObject({ message: 'Apply failed with 1 conflict: conflict with "m": .list' });
});

test("fields that an endpoint resets are owned by nobody", () => {
  const resetFields = new Map([["example.com/v1", fieldSetOf(["f:status"])]]);
  const applied = { ...thing({ a: "1" }), status: { phase: "x" } };
  const result = applyConfiguration({
    ...kind,
    resetFields,
    live: empty,
    empty,
    applied,
    manager: "m",
    now: at(0),
  });
  expect(owners(appliedObject(result))).toEqual(["m Apply example.com/v1: .data.a"]);
});

test.each<[string, JsonObject, string]>([
  [
    "an unknown field",
    { ...thing({}), foo: 1 },
    "failed to create typed patch object (/a; example.com/v1, Kind=Thing): .foo: field not declared in schema",
  ],
  [
    "equal items of a set",
    { ...thing({}), list: ["x", "x"] },
    'failed to create typed patch object (/a; example.com/v1, Kind=Thing): .list: duplicate entries for key [="x"]',
  ],
  [
    "values of wrong types",
    { ...thing({ a: 1 }), list: "x" },
    "failed to create typed patch object (/a; example.com/v1, Kind=Thing): errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .list: expected list, got &{x}",
  ],
  ["managedFields", thing({}, { managedFields: [] }), "metadata.managedFields must be nil"],
])("a configuration is refused for %s", (_name, applied, message) => {
  expect(apply(empty, applied, "m")).toEqual({ kind: "invalid", message });
});

test("an update by scale takes the replicas from whoever owned them", () => {
  const entries: readonly ManagedFieldsEntry[] = [
    {
      manager: "app",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {}, "f:paused": {} } },
    },
  ];
  const paths = new Map([["apps/v1", ["f:spec", "f:replicas"]]]);
  const shown = ownersOfScale(entries, paths);
  expect(shown).toMatchObject([{ manager: "app", apiVersion: "autoscaling/v1" }]);
  expect(ownersAfterScale(entries, shown, paths, "apps/v1")).toEqual(entries);
  const scaler = {
    manager: "scaler",
    operation: "Update",
    apiVersion: "autoscaling/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
    subresource: "scale",
  } as const;
  expect(ownersAfterScale(entries, [scaler], paths, "apps/v1")).toMatchObject([
    { manager: "app", fieldsV1: { "f:spec": { "f:paused": {} } } },
    { manager: "scaler", apiVersion: "apps/v1", subresource: "scale" },
  ]);
});
