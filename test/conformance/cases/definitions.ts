import { apply, type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { definition, definitions, oneDefinition, thing, things } from "./paths.ts";
import { established, specSchema, withDefinition } from "./with-definition.ts";

const refused: Partial<Step> = { keep: ["reason", "code", "message", "details"] };

export const definitionCases: readonly ConformanceCase[] = [
  {
    name: "a definition is accepted",
    steps: [
      jsonStep("POST", definitions, definition(), {
        keep: ["spec", "status", "metadata.generation"],
      }),
      jsonStep("GET", oneDefinition, undefined, {
        until: established,
        keep: ["status", "metadata.finalizers", "spec.conversion"],
      }),
      jsonStep("GET", "/apis/{id}.example.com/v1", undefined, {
        until: ["kind", "APIResourceList"],
      }),
      jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
    ],
  },
  {
    name: "definitions that are refused",
    steps: [
      jsonStep(
        "POST",
        definitions,
        { ...definition(), metadata: { name: "wrong.{id}.example.com" } },
        refused,
      ),
      jsonStep("POST", definitions, definition({ schema: undefined }), refused),
      jsonStep("POST", definitions, definition({ storage: false }), { keep: ["reason", "code"] }),
      jsonStep(
        "POST",
        definitions,
        definition({
          schema: { openAPIV3Schema: { type: "object", properties: { a: { type: "nonsense" } } } },
        }),
        { keep: ["reason", "code"] },
      ),
      jsonStep(
        "POST",
        definitions,
        definition({ schema: { openAPIV3Schema: { properties: {} } } }),
        refused,
      ),
      jsonStep("POST", definitions, definition({}, { scope: "Nowhere" }), {
        keep: ["reason", "code"],
      }),
      jsonStep(
        "POST",
        definitions,
        definition({}, { names: { plural: "things", kind: "thing-kind" } }),
        { keep: ["reason", "code"] },
      ),
    ],
  },
  {
    name: "custom objects live",
    steps: withDefinition({}, [
      jsonStep("POST", things, thing("a", { spec: { x: 1, large: 1 } })),
      jsonStep("GET", `${things}/a`),
      jsonStep("GET", things, undefined, { keep: ["kind", "apiVersion", "items"] }),
      jsonStep("PUT", `${things}/a`, thing("a", { spec: { x: 2 } }), refused),
      jsonStep(
        "PATCH",
        `${things}/a`,
        { spec: { x: 2 } },
        { keep: ["spec", "metadata.generation", "metadata.managedFields"] },
      ),
      jsonStep(
        "PATCH",
        `${things}/a`,
        { metadata: { labels: { a: "b" } } },
        { keep: ["metadata.generation"] },
      ),
      jsonStep(
        "PATCH",
        `${things}/a`,
        { spec: {} },
        { contentType: "application/strategic-merge-patch+json", keep: ["reason", "code"] },
      ),
      jsonStep("DELETE", `${things}/a`),
      jsonStep("GET", `${things}/a`),
    ]),
  },
  {
    name: "pruning and defaults",
    steps: withDefinition(
      specSchema({
        size: { type: "integer", default: 3 },
        mode: { type: "string" },
        nested: {
          type: "object",
          default: {},
          properties: { on: { type: "boolean", default: true } },
        },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      }),
      [
        jsonStep(
          "POST",
          things,
          thing("a", { spec: { unknown: 1, open: { any: { thing: 1 } } }, other: 1 }),
          { keep: ["spec", "other"] },
        ),
        jsonStep("POST", `${things}?fieldValidation=Strict`, thing("b", { spec: { unknown: 1 } }), {
          keep: ["reason", "code", "message"],
        }),
        jsonStep("POST", things, thing("c", { spec: { size: null } }), { keep: ["spec"] }),
        jsonStep("POST", things, thing("d"), { keep: ["spec"] }),
      ],
    ),
  },
  {
    name: "validation by schema",
    steps: withDefinition(
      specSchema(
        {
          size: { type: "integer", minimum: 1, maximum: 5 },
          name: { type: "string", pattern: "^[a-z]+$", maxLength: 5, minLength: 2 },
          mode: { type: "string", enum: ["One", "Two"] },
          list: { type: "array", items: { type: "string" }, maxItems: 2 },
          set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          map: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["key"],
            items: { type: "object", required: ["key"], properties: { key: { type: "string" } } },
          },
          port: { "x-kubernetes-int-or-string": true },
          nullable: { type: "string", nullable: true },
          when: { type: "string", format: "date-time" },
          ratio: { type: "number" },
        },
        { required: ["size"] },
      ),
      [
        {},
        { spec: {} },
        { spec: { size: "x" } },
        { spec: { size: 0 } },
        { spec: { size: 6, name: "A", mode: "Three" } },
        { spec: { size: 1, name: "toolong" } },
        { spec: { size: 1, list: ["a", "b", "c"] } },
        { spec: { size: 1, list: [1] } },
        { spec: { size: 1, list: {} } },
        { spec: { size: 1, set: ["a", "a"] } },
        { spec: { size: 1, map: [{ key: "a" }, { key: "a" }] } },
        { spec: { size: 1, map: [{}] } },
        { spec: { size: 1, port: true } },
        { spec: { size: 1, port: "http", nullable: null, ratio: 1.5 } },
        { spec: { size: 1.5 } },
        { spec: [] },
        { spec: "text" },
      ].map((fields, index) =>
        jsonStep("POST", things, thing(`t${index}`, fields), {
          keep: ["reason", "code", "details.causes", "spec"],
        }),
      ),
    ),
  },
  {
    name: "validation by rules",
    steps: withDefinition(
      specSchema(
        {
          min: { type: "integer" },
          max: { type: "integer" },
          fixed: {
            type: "string",
            "x-kubernetes-validations": [
              { rule: "self == oldSelf", message: "fixed cannot change" },
            ],
          },
          list: {
            type: "array",
            maxItems: 10,
            items: {
              type: "string",
              maxLength: 10,
              "x-kubernetes-validations": [{ rule: "self.startsWith('a')" }],
            },
          },
        },
        {
          "x-kubernetes-validations": [
            {
              rule: "!has(self.min) || !has(self.max) || self.min <= self.max",
              message: "min must not exceed max",
            },
            {
              rule: "!has(self.max) || self.max < 100",
              messageExpression: "'max is too large'",
              reason: "FieldValueForbidden",
              fieldPath: ".max",
            },
          ],
        },
      ),
      [
        jsonStep("POST", things, thing("a", { spec: { min: 2, max: 1 } }), refused),
        jsonStep("POST", things, thing("a", { spec: { max: 200 } }), refused),
        jsonStep("POST", things, thing("a", { spec: { list: ["a", "b"] } }), refused),
        jsonStep("POST", things, thing("a", { spec: { fixed: "x" } }), { prepare: true }),
        jsonStep("PATCH", `${things}/a`, { spec: { fixed: "y" } }, refused),
        jsonStep("PATCH", `${things}/a`, { spec: { min: 1 } }, { keep: ["spec"] }),
      ],
    ),
  },
  {
    name: "status subresource",
    steps: withDefinition({ subresources: { status: {} } }, [
      jsonStep("POST", things, thing("a", { spec: { x: 1 }, status: { y: 1 } })),
      jsonStep("PATCH", `${things}/a/status`, {
        spec: { x: 2 },
        status: { y: 2 },
        metadata: { labels: { a: "b" } },
      }),
      jsonStep("PATCH", `${things}/a`, { spec: { x: 3 }, status: { y: 3 } }),
      jsonStep("GET", `${things}/a/status`, undefined, { keep: ["spec", "status"] }),
      apply(`${things}/a/status`, "m", thing("a", { status: { z: 1 } })),
      apply(`${things}/a`, "m", thing("a", { spec: { z: 1 }, status: { z: 2 } })),
    ]),
  },
  {
    name: "scale subresource",
    steps: withDefinition(
      {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
      },
      [
        jsonStep("POST", things, thing("a", { spec: { replicas: 2 } }), { prepare: true }),
        jsonStep("GET", `${things}/a/scale`),
        jsonStep("PATCH", `${things}/a/scale`, { spec: { replicas: 5 } }),
        jsonStep("GET", `${things}/a`, undefined, {
          keep: ["spec", "metadata.generation", "metadata.managedFields"],
        }),
      ],
    ),
  },
  {
    name: "apply to lists and maps",
    steps: withDefinition(
      specSchema({
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        atomic: { type: "array", items: { type: "string" } },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["key"],
          items: {
            type: "object",
            required: ["key"],
            properties: { key: { type: "string" }, value: { type: "string" } },
          },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        whole: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          additionalProperties: { type: "string" },
        },
      }),
      [
        apply(
          `${things}/a`,
          "one",
          thing("a", {
            spec: {
              set: ["a", "b"],
              atomic: ["x"],
              map: [{ key: "k", value: "1" }],
              labels: { l: "1" },
              whole: { w: "1" },
            },
          }),
        ),
        apply(
          `${things}/a`,
          "two",
          thing("a", {
            spec: { set: ["b", "c"], map: [{ key: "m", value: "1" }], labels: { m: "1" } },
          }),
        ),
        apply(`${things}/a`, "two", thing("a", { spec: { atomic: ["y"] } }), refused),
        apply(`${things}/a`, "two", thing("a", { spec: { whole: { w: "1", v: "2" } } }), refused),
        apply(
          `${things}/a`,
          "two",
          thing("a", { spec: { map: [{ key: "k", value: "2" }] } }),
          refused,
        ),
        apply(`${things}/a`, "two", thing("a", { spec: { map: [{ key: "k", value: "1" }] } })),
        apply(`${things}/a`, "one", thing("a", { spec: { set: ["a"] } })),
        apply(`${things}/a`, "two", thing("a", {})),
      ],
    ),
  },
  {
    name: "two versions",
    steps: withDefinition(
      {},
      [
        jsonStep("POST", things, thing("a", { spec: { x: 1 } }), { prepare: true }),
        jsonStep("GET", "/apis/{id}.example.com/v2beta1/namespaces/{ns}/things/a", undefined, {
          keep: ["apiVersion", "spec", "metadata.managedFields"],
        }),
        apply(
          "/apis/{id}.example.com/v2beta1/namespaces/{ns}/things/a",
          "m",
          {
            apiVersion: "{id}.example.com/v2beta1",
            kind: "Thing",
            metadata: { name: "a" },
            spec: { y: 1 },
          },
          { keep: ["apiVersion", "spec", "metadata.managedFields"] },
        ),
        jsonStep("GET", "/apis/{id}.example.com"),
        jsonStep("GET", `${things}/a`, undefined, { keep: ["apiVersion", "spec"] }),
      ],
      {
        versions: ["v2beta1", "v1"].map((name) => ({
          name,
          served: true,
          storage: name === "v1",
          deprecated: name === "v2beta1",
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        })),
      },
    ),
  },
  {
    name: "printer columns",
    steps: withDefinition(
      {
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          {
            name: "Ready",
            type: "string",
            priority: 1,
            jsonPath: ".status.conditions[?(@.type=='Ready')].status",
          },
        ],
      },
      [
        jsonStep(
          "POST",
          things,
          thing("a", {
            spec: { size: 3 },
            status: { conditions: [{ type: "Ready", status: "True" }] },
          }),
          { prepare: true },
        ),
        jsonStep("GET", `${things}?includeObject=None`, undefined, {
          accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
          keep: ["kind", "columnDefinitions", "rows"],
        }),
      ],
    ),
  },
];
