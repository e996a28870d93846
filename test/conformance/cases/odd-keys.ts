import { apply, type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { things } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";

const all = "/api/v1/namespaces/{ns}/configmaps";
const one = `${all}/odd`;
const secrets = "/api/v1/namespaces/{ns}/secrets";

/** Names that mean something to JavaScript, and nothing to Kubernetes. */
function odd(value: unknown): object {
  return { ["__proto__"]: value, constructor: value, toString: value, a: value };
}

function configMap(data: object): unknown {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "odd" }, data };
}

function patch(contentType: string, body: unknown): Step {
  return jsonStep("PATCH", one, body, { contentType });
}

const made = jsonStep("POST", all, configMap(odd("1")));
const anyFields = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Keys such as `__proto__` are data like any other. */
export const oddKeyCases: readonly ConformanceCase[] = [
  { name: "created and read", steps: [made, jsonStep("GET", one)] },
  {
    name: "replaced",
    steps: [
      made,
      jsonStep("PUT", one, configMap({ ["__proto__"]: "2" })),
      jsonStep("PUT", one, configMap({})),
    ],
  },
  ...["application/merge-patch+json", "application/strategic-merge-patch+json"].map((type) => ({
    name: `changed and removed by ${type}`,
    steps: [
      made,
      patch(type, { data: { ["__proto__"]: "2", valueOf: "2" } }),
      patch(type, { data: { ["__proto__"]: null, constructor: null } }),
      patch(type, { data: { ["__proto__"]: "3" } }),
    ],
  })),
  {
    name: "changed and removed by a JSON patch",
    steps: [
      made,
      patch("application/json-patch+json", [
        { op: "test", path: "/data/__proto__", value: "1" },
        { op: "replace", path: "/data/__proto__", value: "2" },
        { op: "copy", from: "/data/__proto__", path: "/data/copied" },
        { op: "add", path: "/data/hasOwnProperty", value: "2" },
      ]),
      patch("application/json-patch+json", [{ op: "remove", path: "/data/__proto__" }]),
      patch("application/json-patch+json", [
        { op: "move", from: "/data/a", path: "/data/__proto__" },
      ]),
      jsonStep("PATCH", one, [{ op: "add", path: "/__proto__/x", value: "2" }], {
        contentType: "application/json-patch+json",
        keep: ["code", "reason"],
      }),
    ],
  },
  {
    name: "applied, owned, in conflict, given up",
    steps: [
      apply(one, "one", configMap(odd("1"))),
      apply(one, "one", configMap(odd("1"))),
      apply(one, "two", configMap({ ["__proto__"]: "2" })),
      apply(one, "two", configMap({ ["__proto__"]: "2" }), { force: true }),
      apply(one, "one", configMap({ a: "1" })),
      apply(one, "two", configMap({ b: "2" })),
    ],
  },
  {
    name: "no names of labels",
    steps: [
      jsonStep("POST", all, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "odd",
          labels: { ["__proto__"]: "x", constructor: "y" },
          annotations: { ["__proto__"]: "x", toString: "y" },
        },
      }),
    ],
  },
  {
    name: "in a Secret",
    steps: [
      jsonStep("POST", secrets, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "odd" },
        data: { ["__proto__"]: "MQ==", b: "MQ==" },
        stringData: { ["__proto__"]: "2", constructor: "2" },
      }),
    ],
  },
  {
    name: "unknown fields",
    steps: [
      jsonStep("POST", `${all}?fieldValidation=Strict`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "odd", ["__proto__"]: { a: 1 } },
        ["__proto__"]: { a: 1 },
      }),
    ],
  },
  {
    name: "in a custom resource",
    steps: withDefinition({ schema: { openAPIV3Schema: anyFields } }, [
      jsonStep("POST", things, {
        apiVersion: "{id}.example.com/v1",
        kind: "Thing",
        metadata: { name: "odd" },
        spec: odd(odd("1")),
        ["__proto__"]: { a: 1 },
      }),
      jsonStep(
        "PATCH",
        `${things}/odd`,
        { spec: odd({ ["__proto__"]: { b: "2" } }) },
        {
          contentType: "application/merge-patch+json",
        },
      ),
      apply(
        `${things}/odd`,
        "one",
        {
          apiVersion: "{id}.example.com/v1",
          kind: "Thing",
          spec: { ["__proto__"]: { ["__proto__"]: { c: "3" } } },
        },
        { force: true },
      ),
    ]),
  },
];
