import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import type { Schema } from "../schema/index.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import type { ManagedFieldsEntry } from "../objects/kubernetes-object.ts";
import { decodeFieldsV1 } from "./fields-v1.ts";
import { keepTimestamps } from "./keep-timestamps.ts";
import { formatPath } from "./path-element.ts";
import { updateManagers } from "./update-owners.ts";

const schema = crdSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        size: { type: "string" },
        atomicList: { type: "array", items: { type: "string" } },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              name: { type: "string" },
            },
          },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        selector: {
          type: "object",
          additionalProperties: { type: "string" },
          "x-kubernetes-map-type": "atomic",
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
});

const empty: JsonObject = { apiVersion: "example.com/v1", kind: "Thing" };

interface Step {
  readonly apply?: string;
  readonly update?: string;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly spec: JsonObject;
  readonly conflicts?: string;
}

/** Runs the steps and returns the last spec and who owns what. */
function run(steps: readonly Step[], using: Schema = schema): { spec: unknown; owners: string[] } {
  let live: JsonObject = empty;
  for (const [index, step] of steps.entries()) {
    const now = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    const sent: JsonObject = { ...empty, metadata: { name: "a" }, spec: step.spec };
    const request = {
      apiVersion: "example.com/v1",
      schema: using,
      live,
      now,
      ...(step.subresource === undefined ? {} : { subresource: step.subresource }),
    };
    if (step.update !== undefined) {
      live = updateManagers({ ...request, updated: sent, manager: step.update }).object;
      continue;
    }
    const manager = step.apply ?? "";
    const force = step.force === true;
    const result = applyConfiguration({ ...request, empty, applied: sent, manager, force });
    const refusal = result.kind === "applied" ? undefined : result.message;
    expect(refusal).toBe(step.conflicts);
    if (result.kind === "applied") live = keepTimestamps(live, result.object);
  }
  return { spec: live["spec"], owners: ownersOf(live) };
}

function ownersOf(object: JsonObject): string[] {
  const metadata = object["metadata"] as { managedFields?: ManagedFieldsEntry[] };
  return (metadata.managedFields ?? []).map((entry) => {
    const paths = [...(decodeFieldsV1(entry.fieldsV1)?.paths() ?? [])].map(formatPath);
    return `${entry.manager} ${entry.operation}: ${paths.join(" ").replaceAll(".spec", "")}`;
  });
}

test.each<[string, Step[], JsonObject | undefined, string[]]>([
  [
    "the applier owns what it mentions",
    [{ apply: "a", spec: { replicas: 1, labels: { x: "1" } } }],
    { replicas: 1, labels: { x: "1" } },
    ["a Apply: .replicas .labels.x"],
  ],
  [
    "another value is a conflict",
    [
      { apply: "a", spec: { replicas: 1 } },
      {
        apply: "b",
        spec: { replicas: 2 },
        conflicts: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
      },
    ],
    { replicas: 1 },
    ["a Apply: .replicas"],
  ],
  [
    "several conflicts are listed by owner",
    [
      { update: "u", spec: { replicas: 1, size: "s" } },
      {
        apply: "b",
        spec: { replicas: 2, size: "t" },
        conflicts:
          'Apply failed with 2 conflicts: conflicts with "u" using example.com/v1:\n- .spec.replicas\n- .spec.size',
      },
    ],
    { replicas: 1, size: "s" },
    ["u Update:  .replicas .size"],
  ],
  [
    "force takes the field",
    [
      { apply: "a", spec: { replicas: 1, size: "s" } },
      { apply: "b", spec: { replicas: 2 }, force: true },
    ],
    { replicas: 2, size: "s" },
    ["a Apply: .size", "b Apply: .replicas"],
  ],
  [
    "the same value is shared, and stays when one gives it up",
    [
      { apply: "a", spec: { replicas: 1 } },
      { apply: "b", spec: { replicas: 1 } },
      { apply: "a", spec: { size: "s" } },
    ],
    { replicas: 1, size: "s" },
    ["b Apply: .replicas", "a Apply: .size"],
  ],
  [
    "what nobody applies any more goes",
    [
      { apply: "a", spec: { replicas: 1, labels: { x: "1", y: "2" } } },
      { apply: "a", spec: { labels: { y: "2" } } },
    ],
    { labels: { y: "2" } },
    ["a Apply: .labels.y"],
  ],
  [
    "an updater keeps what it set inside",
    [
      { apply: "a", spec: { labels: { x: "1" } } },
      { update: "u", spec: { labels: { x: "1", z: "3" } } },
      { apply: "a", spec: {} },
    ],
    { labels: { z: "3" } },
    ["a Apply: ", "u Update: .labels.z"],
  ],
  [
    "an update takes what it changes",
    [
      { apply: "a", spec: { replicas: 1, size: "s" } },
      { update: "u", spec: { replicas: 2, size: "s" } },
    ],
    { replicas: 2, size: "s" },
    ["a Apply: .size", "u Update: .replicas"],
  ],
  [
    "an update releases what it removes",
    [
      { apply: "a", spec: { replicas: 1, size: "s" } },
      { update: "u", spec: { size: "s" } },
    ],
    { size: "s" },
    ["a Apply: .size"],
  ],
  [
    "items of a keyed list have owners, by keys with their defaults",
    [
      { apply: "a", spec: { ports: [{ port: 1, name: "x" }] } },
      { apply: "b", spec: { ports: [{ port: 1, protocol: "UDP", name: "y" }] } },
    ],
    {
      ports: [
        { port: 1, name: "x" },
        { port: 1, protocol: "UDP", name: "y" },
      ],
    },
    [
      'a Apply: .ports[port=1,protocol="TCP"] .ports[port=1,protocol="TCP"].name .ports[port=1,protocol="TCP"].port',
      'b Apply: .ports[port=1,protocol="UDP"] .ports[port=1,protocol="UDP"].name .ports[port=1,protocol="UDP"].port .ports[port=1,protocol="UDP"].protocol',
    ],
  ],
  [
    "an item goes with its last owner",
    [
      { apply: "a", spec: { ports: [{ port: 1 }, { port: 2 }] } },
      { apply: "b", spec: { ports: [{ port: 2, name: "b" }] } },
      { apply: "a", spec: { ports: [] } },
    ],
    { ports: [{ port: 2, name: "b" }] },
    [
      'b Apply: .ports[port=2,protocol="TCP"] .ports[port=2,protocol="TCP"].name .ports[port=2,protocol="TCP"].port',
    ],
  ],
  [
    "sets are merged by value",
    [
      { apply: "a", spec: { set: ["x", "y"] } },
      { apply: "b", spec: { set: ["y", "z"] } },
      { apply: "a", spec: { set: ["x"] } },
    ],
    { set: ["x", "y", "z"] },
    ['a Apply: .set[="x"]', 'b Apply: .set[="y"] .set[="z"]'],
  ],
  [
    "an atomic list has one owner",
    [
      { apply: "a", spec: { atomicList: ["x"] } },
      {
        apply: "b",
        spec: { atomicList: ["y"] },
        conflicts: 'Apply failed with 1 conflict: conflict with "a": .spec.atomicList',
      },
    ],
    { atomicList: ["x"] },
    ["a Apply: .atomicList"],
  ],
  [
    "an atomic map has one owner",
    [
      { apply: "a", spec: { selector: { x: "1" } } },
      {
        apply: "b",
        spec: { selector: { y: "1" } },
        conflicts: 'Apply failed with 1 conflict: conflict with "a": .spec.selector',
      },
    ],
    { selector: { x: "1" } },
    ["a Apply: .selector"],
  ],
  [
    "fields without a schema are merged one by one, lists in them as a whole",
    [
      { apply: "a", spec: { free: { x: { y: 1 }, list: [1] } } },
      { apply: "b", spec: { free: { x: { z: 2 } } } },
    ],
    { free: { x: { y: 1, z: 2 }, list: [1] } },
    ["a Apply: .free.list .free.x .free.x.y", "b Apply: .free.x .free.x.z"],
  ],
])("%s", (_name, steps, spec, owners) => {
  const result = run(steps);
  expect(result.spec).toEqual(spec);
  expect(result.owners).toEqual(owners);
});
