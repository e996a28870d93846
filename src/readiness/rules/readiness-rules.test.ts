import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../objects/index.ts";
import { readinessOf } from "../readiness-of.ts";
import { readinessRules } from "./read-rules.ts";
import { ruleBook } from "./rule-book.ts";

type Annotations = Readonly<Record<string, string>>;

const openSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const closedSchema = {
  type: "object",
  properties: {
    spec: { type: "object", additionalProperties: { type: "string" } },
    status: { type: "object", properties: { state: { type: "string" }, any: openSchema } },
  },
};

function definition(annotations: Annotations, schema: object = openSchema): KubernetesObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "stacks.example.com", annotations },
    spec: {
      group: "example.com",
      names: { kind: "Stack", plural: "stacks" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
    status: { conditions: [{ type: "Established", status: "True" }] },
  };
}

function instance(fields: object, metadata: object = {}): KubernetesObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Stack",
    metadata: { name: "one", namespace: "shop", uid: "u1", ...metadata },
    ...fields,
  };
}

function verdict(
  object: KubernetesObject,
  annotations: Annotations,
  children: readonly KubernetesObject[] = [],
): string {
  const { status, reason, message } = readinessOf(object, {
    now: 0,
    rulesOf: ruleBook([definition(annotations)]),
    childrenOf: ({ metadata }) => (metadata.uid === "u1" ? children : []),
  });
  return `${status} ${reason}: ${message}`;
}

const smith = "smith.atlassian.com/";
const fieldRule = (path: string, value: string): Annotations => ({
  [`${smith}TprReadyWhenFieldPath`]: path,
  [`${smith}TprReadyWhenFieldValue`]: value,
});
const condition = '{.status.conditions[?(@.type=="Ready")].status}';

describe("a field that equals a value", () => {
  const cases: readonly (readonly [
    path: string,
    value: string,
    status: object,
    expected: string,
  ])[] = [
    ["status.state", "Ready", { state: "Ready" }, "Current Ready: status.state is Ready"],
    [".status.state", "Ready", { state: "Ready" }, "Current Ready: .status.state is Ready"],
    [
      "status.state",
      "Ready",
      { state: "Making" },
      "InProgress FieldNotEqual: waits for status.state to be Ready; it is Making",
    ],
    [
      "status.state",
      "Ready",
      {},
      "InProgress FieldMissing: waits for status.state to be Ready; it is not there",
    ],
    ["status.count", "3", { count: 3 }, "Current Ready: status.count is 3"],
    ["status.done", "true", { done: true }, "Current Ready: status.done is true"],
    [
      "status.id",
      "231864817236487163",
      { id: 231864817236487163n },
      "Current Ready: status.id is 231864817236487163",
    ],
    [
      "status.state",
      "Ready",
      { state: { a: 1 } },
      "Failed FieldNotComparable: status.state is a list or a map, no text to compare",
    ],
    [
      condition,
      "True",
      { conditions: [{ type: "Ready", status: "True" }] },
      `Current Ready: ${condition} is True`,
    ],
    [
      condition,
      "True",
      { conditions: [{ type: "Other", status: "True" }] },
      `InProgress FieldMissing: waits for ${condition} to be True; it is not there`,
    ],
    [
      "status.steps[1].state",
      "done",
      { steps: [{ state: "done" }] },
      "InProgress FieldNotEqual: the JSON path status.steps[1].state cannot be applied: the index 1 is outside of a list of 1",
    ],
  ];
  it.each(cases)("%s = %s on %o", (path, value, status, expected) => {
    expect(verdict(instance({ status }), fieldRule(path, value))).toBe(expected);
  });

  it("counts in every spelling", () => {
    for (const prefix of ["smith.atlassian.com/", "smith.a.c/", "keelson.dev/"]) {
      for (const spelling of ["Tpr", "Cr", "Crd"]) {
        const annotations = {
          [`${prefix}${spelling}ReadyWhenFieldPath`]: "status.state",
          [`${prefix}${spelling}ReadyWhenFieldValue`]: "Ready",
        };
        const waiting = verdict(instance({ status: { state: "No" } }), annotations);
        expect(waiting, `${prefix}${spelling}`).toContain("InProgress FieldNotEqual");
      }
    }
  });

  it("says nothing about an instance that has not been looked at, or that goes", () => {
    const [spec, status] = [{}, { state: "Ready", observedGeneration: 1 }];
    const rules = fieldRule("status.state", "Ready");
    expect(verdict(instance({ spec, status }, { generation: 2 }), rules)).toMatch(
      /^InProgress LatestGenerationNotObserved/,
    );
    const going = instance({ spec, status }, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(verdict(going, rules)).toMatch(/^Terminating/);
  });
});

describe("an object that belongs to the instance", () => {
  const rules = {
    [`${smith}TprReadyWhenExistsKind`]: "Binding",
    [`${smith}TprReadyWhenExistsVersion`]: "example.com/v1",
  };
  const binding = (metadata: object, type = "example.com/v1 Binding"): KubernetesObject => {
    const [apiVersion = "", kind = ""] = type.split(" ");
    const owner = { apiVersion: "example.com/v1", kind: "Stack", name: "one", uid: "u1" };
    return {
      apiVersion,
      kind,
      metadata: { name: "b", namespace: "shop", ownerReferences: [owner], ...metadata },
    };
  };
  const waits = "InProgress NotBound: waits for a Binding that belongs to it";
  const cases: readonly (readonly [string, readonly KubernetesObject[], string])[] = [
    ["none", [], waits],
    ["its own", [binding({})], "Current Ready: Binding b belongs to it"],
    [
      "its own at another version",
      [binding({}, "example.com/v1beta1 Binding")],
      "Current Ready: Binding b belongs to it",
    ],
    ["of another group", [binding({}, "other.com/v1 Binding")], waits],
    ["of another kind", [binding({}, "example.com/v1 Link")], waits],
    ["in another namespace", [binding({ namespace: "other" })], waits],
    ["that goes", [binding({ deletionTimestamp: "2026-01-01T00:00:00Z" })], waits],
    [
      "of a former object of this name",
      [
        binding({
          ownerReferences: [
            { apiVersion: "example.com/v1", kind: "Stack", name: "one", uid: "u0" },
          ],
        }),
      ],
      waits,
    ],
  ];
  it.each(cases)("%s", (_name, children, expected) => {
    expect(verdict(instance({}), rules, children)).toBe(expected);
  });
});

describe("an expression", () => {
  const cases: readonly (readonly [text: string, status: object, expected: string])[] = [
    [
      'self.status.phase == "Bound"',
      { phase: "Bound" },
      'Current Ready: it holds that self.status.phase == "Bound"',
    ],
    [
      'self.status.phase == "Bound"',
      { phase: "Pending" },
      'InProgress ConditionNotMet: waits for self.status.phase == "Bound"',
    ],
    [
      'self.status.phase == "Bound"',
      {},
      'InProgress ConditionNotMet: waits for self.status.phase == "Bound"; no such key: phase',
    ],
    [
      "self.status.list[2] == 1",
      { list: [] },
      "InProgress ConditionNotMet: waits for self.status.list[2] == 1; index out of bounds: 2",
    ],
    [
      'self.metadata.name == "one" && self.status.count > 2',
      { count: 3 },
      'Current Ready: it holds that self.metadata.name == "one" && self.status.count > 2',
    ],
    [
      "self.status.phase",
      { phase: "Bound" },
      "Failed InvalidReadinessRule: keelson.dev/ready-when is neither true nor false: self.status.phase",
    ],
    [
      "self.status.count > 2",
      { count: "three" },
      "Failed InvalidReadinessRule: keelson.dev/ready-when cannot be evaluated: no such overload",
    ],
    [
      "self.status.items.all(a, self.status.items.all(b, self.status.items.all(c, a + b + c >= 0)))",
      { items: Array.from({ length: 200 }, (_, index) => index) },
      "Failed InvalidReadinessRule: keelson.dev/ready-when takes too many steps: self.status.items.all(a, self.status.items.all(b, self.status.items.all(c, a + b + c >= 0)))",
    ],
  ];
  it.each(cases)("%s on %j", (text, status, expected) => {
    expect(verdict(instance({ status }), { "keelson.dev/ready-when": text })).toBe(expected);
    // The same of one object, whose own word wins over that of its definition.
    const own = instance({ status }, { annotations: { "keelson.dev/ready-when": text } });
    expect(verdict(own, { "keelson.dev/ready-when": "false" })).toBe(expected);
  });

  it("wins over the rule of a built-in kind", () => {
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "j", annotations: { "keelson.dev/ready-when": "self.status.ready > 0" } },
      status: { startTime: "2026-01-01T00:00:00Z", ready: 0 },
    };
    expect(readinessOf(job, { now: 0 }).status).toBe("InProgress");
    expect(readinessOf({ ...job, status: { ready: 1 } }, { now: 0 }).status).toBe("Current");
  });

  it("that is bad on one object fails that object", () => {
    const bad = instance({}, { annotations: { "keelson.dev/ready-when": "self.status." } });
    expect(verdict(bad, {})).toMatch(/^Failed InvalidReadinessRule: .* cannot be compiled/);
  });

  it("must hold beside the other rules of a definition", () => {
    const rules = {
      ...fieldRule("status.state", "Ready"),
      "keelson.dev/ready-when": "self.status.n > 1",
    };
    const of = (status: object): string => verdict(instance({ status }), rules).split(":")[0] ?? "";
    expect(of({ state: "Ready", n: 2 })).toBe("Current Ready");
    expect(of({ state: "Ready", n: 1 })).toBe("InProgress ConditionNotMet");
    expect(of({ state: "No", n: 2 })).toBe("InProgress FieldNotEqual");
  });
});

describe("mistakes in annotations", () => {
  const exists = (kind: string, version: string): Annotations => ({
    [`${smith}TprReadyWhenExistsKind`]: kind,
    [`${smith}TprReadyWhenExistsVersion`]: version,
  });
  type Mistake = readonly [Annotations, readonly string[], object?];
  const mistakes: readonly Mistake[] = [
    [
      { [`${smith}TprReadyWhenFieldPath`]: "status.state" },
      [
        "readiness.incomplete-annotations: smith.atlassian.com/TprReadyWhenFieldPath stands without smith.atlassian.com/TprReadyWhenFieldValue, so that nobody can tell when an instance is ready",
      ],
    ],
    [
      { "smith.a.c/CrReadyWhenFieldValue": "Ready" },
      [
        "readiness.incomplete-annotations: smith.a.c/CrReadyWhenFieldValue stands without smith.a.c/CrReadyWhenFieldPath, so that nobody can tell when an instance is ready",
      ],
    ],
    [
      { "keelson.dev/CrdReadyWhenExistsKind": "Binding" },
      [
        "readiness.incomplete-annotations: keelson.dev/CrdReadyWhenExistsKind stands without keelson.dev/CrdReadyWhenExistsVersion, so that nobody can tell when an instance is ready",
      ],
    ],
    [
      { [`${smith}TprReadyWhenExistsVersion`]: "v1" },
      [
        "readiness.incomplete-annotations: smith.atlassian.com/TprReadyWhenExistsVersion stands without smith.atlassian.com/TprReadyWhenExistsKind, so that nobody can tell when an instance is ready",
      ],
    ],
    [
      fieldRule("status.conditions[?(@.type==", "True"),
      [
        "readiness.invalid-path: the JSON path status.conditions[?(@.type== cannot be parsed: a filter is not closed",
      ],
    ],
    [
      fieldRule("", "True"),
      ["readiness.invalid-path: the JSON path  cannot be parsed: it is empty"],
    ],
    [fieldRule("status.", "True"), ["readiness.invalid-path: the path status. names no field"]],
    [
      fieldRule("state is {.status.state}", "True"),
      ["readiness.invalid-path: the path state is {.status.state} is a template, not one path"],
    ],
    [
      fieldRule("status.stat", "Ready"),
      [
        "readiness.unknown-field: smith.atlassian.com/TprReadyWhenFieldPath looks at status.stat, a field that no version of its schema has",
      ],
      closedSchema,
    ],
    [fieldRule("status.state", "Ready"), [], closedSchema],
    [fieldRule("status.any.thing", "Ready"), [], closedSchema],
    [fieldRule("spec.any", "Ready"), [], closedSchema],
    [fieldRule("metadata.labels.done", "Ready"), [], closedSchema],
    [
      exists("binding", "v1"),
      [
        'readiness.invalid-annotation: smith.atlassian.com/TprReadyWhenExistsKind is "binding", which is no kind',
      ],
    ],
    [
      exists("Binding", "smith.atlassian.com"),
      [
        'readiness.invalid-annotation: smith.atlassian.com/TprReadyWhenExistsVersion is "smith.atlassian.com", which is no apiVersion',
      ],
    ],
    [
      { ...fieldRule("status.state", "Ready"), "keelson.dev/CrReadyWhenFieldValue": "Done" },
      [
        'readiness.conflicting-annotations: CustomResourceDefinition stacks.example.com says smith.atlassian.com/TprReadyWhenFieldValue: "Ready" and keelson.dev/CrReadyWhenFieldValue: "Done"',
      ],
    ],
    [{ ...fieldRule("status.state", "Ready"), "keelson.dev/CrReadyWhenFieldValue": "Ready" }, []],
    [
      { [`${smith}TprReadyWhenFieldPaht`]: "status.state" },
      [
        "readiness.unknown-annotation: CustomResourceDefinition stacks.example.com has an annotation that nobody knows: smith.atlassian.com/TprReadyWhenFieldPaht",
      ],
    ],
    [{ "smith.atlassian.com/Something": "else", "example.com/TprReadyWhenFieldPath": "x" }, []],
    [
      { ...exists("Binding", "v1"), [`${smith}TprOutputNameField`]: "status.names[*]" },
      [
        'readiness.invalid-path: smith.atlassian.com/TprOutputNameField is "status.names[*]", which is not one field that could be set',
      ],
    ],
    [
      { [`${smith}TprOutputNameField`]: "status.secretName" },
      [
        "readiness.incomplete-annotations: smith.atlassian.com/TprOutputNameField stands without smith.atlassian.com/TprReadyWhenExistsKind",
      ],
    ],
    [
      { ...exists("Binding", "v1"), [`${smith}TprOutputNameSetterField`]: "spec.secretName" },
      [
        "readiness.incomplete-annotations: smith.atlassian.com/TprOutputNameSetterField stands without smith.atlassian.com/TprOutputNameModeField",
      ],
    ],
    [
      { ...exists("Binding", "v1"), [`${smith}TprOutputNameModeField`]: "mode" },
      [
        "readiness.unknown-field: smith.atlassian.com/TprOutputNameModeField names mode, a field that no version of its schema has",
      ],
      closedSchema,
    ],
    [
      { "keelson.dev/ready-when": "self.status.phase = 1" },
      [
        "readiness.invalid-expression: keelson.dev/ready-when cannot be compiled: ERROR: <input>:1:19: Syntax error: extraneous input '=' expecting <EOF>\n | self.status.phase = 1\n | ..................^",
      ],
    ],
    [
      { "keelson.dev/ready-when": "slef.status.done" },
      [
        "readiness.invalid-expression: keelson.dev/ready-when cannot be compiled: ERROR: <input>:1:1: undeclared reference to 'slef' (in container '')\n | slef.status.done\n | ^",
      ],
    ],
    [
      { "keelson.dev/ready-when": '"yes"' },
      [
        "readiness.invalid-expression: keelson.dev/ready-when cannot be compiled: it gives a value of the type string, not true or false",
      ],
    ],
    [
      { "keelson.dev/ready-when": " " },
      ["readiness.invalid-expression: keelson.dev/ready-when cannot be compiled: it is empty"],
    ],
    [
      { "keelson.dev/ready-when": 'has(self.status.phase) && self.status.state == "x"' },
      [
        "readiness.unknown-field: keelson.dev/ready-when looks at status.phase, a field that no version of its schema has",
      ],
      closedSchema,
    ],
  ];
  it.each(mistakes)("%j", (...mistake) => {
    const [annotations, expected, schema = openSchema] = mistake as unknown as Mistake;
    const given = definition(annotations, schema);
    const { problems } = readinessRules(given);
    const said = problems.map(({ diagnostic: { code, summary } }) =>
      `${code}: ${summary}`.replace(": CustomResourceDefinition stacks.example.com: ", ": "),
    );
    expect(said).toEqual(expected);
    // Who waits learns it from the definition and from each instance, and never waits for nothing.
    const errors = problems.filter(({ diagnostic }) => diagnostic.severity === "error");
    if (errors.length === 0) return;
    const message = `Failed InvalidReadinessRule: ${errors[0]?.diagnostic.summary}`;
    const context = { now: 0, rulesOf: ruleBook([given]) };
    const ofInstance = readinessOf(instance({ status: { state: "Ready" } }), context);
    expect(`${ofInstance.status} ${ofInstance.reason}: ${ofInstance.message}`).toBe(message);
    const ofDefinition = readinessOf(given, { now: 0 });
    expect(`${ofDefinition.status} ${ofDefinition.reason}: ${ofDefinition.message}`).toBe(message);
  });
});
