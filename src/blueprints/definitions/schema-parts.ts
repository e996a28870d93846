import type { JsonObject } from "../../json/index.ts";

/** Bounds that keep every rule within what the API server lets it cost. */
const mostItems = { steps: 30, options: 16, inputs: 16, params: 64, requirements: 10, values: 64 };
const longestName = 63;
const longestKey = 256;

export const text: JsonObject = { type: "string" };
export const anything: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };
export const anyObject: JsonObject = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
};
export const name: JsonObject = { type: "string", minLength: 1, maxLength: longestName };
const objectName: JsonObject = { type: "string", minLength: 1, maxLength: 253 };

export function rule(expression: string, message: string): JsonObject {
  return { rule: expression, message };
}

export function object(
  properties: JsonObject,
  required: readonly string[] = [],
  more: JsonObject = {},
): JsonObject {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
    ...more,
  };
}

export function list(items: JsonObject, maxItems: number, more: JsonObject = {}): JsonObject {
  return { type: "array", items, maxItems, ...more };
}

/** A list whose items are told apart by their name, so that no name is there twice. */
function named(items: JsonObject, maxItems: number, more: JsonObject = {}): JsonObject {
  return list(items, maxItems, {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    ...more,
  });
}

export const labels: JsonObject = {
  type: "object",
  maxProperties: mostItems.requirements,
  additionalProperties: text,
};

/** As in Kubernetes: values go with In and NotIn, and only with them. */
const labelRequirements = list(
  object({ key: text, operator: text, values: list(text, mostItems.values) }, ["key", "operator"], {
    "x-kubernetes-validations": [
      rule(
        "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : self.operator in ['Exists', 'DoesNotExist']",
        "operator must be In or NotIn with values, or Exists or DoesNotExist",
      ),
      rule(
        "!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || size(self.values) == 0",
        "Exists and DoesNotExist take no values",
      ),
    ],
  }),
  mostItems.requirements,
);

/** The values may be any JSON, which rules cannot see: their pairing with operators is a oneOf. */
export function fieldRequirements(roots: readonly string[], more: JsonObject = {}): JsonObject {
  const first = `^(${roots.join("|")})([.]|[[]|$)`;
  return list(
    {
      type: "object",
      required: ["key", "operator"],
      properties: {
        key: { type: "string", minLength: 1, maxLength: longestKey },
        operator: { type: "string", enum: ["In", "NotIn", "Exists", "DoesNotExist"] },
        values: list(anything, mostItems.values),
        ...more,
      },
      oneOf: [
        {
          properties: { operator: { enum: ["In", "NotIn"] }, values: { minItems: 1 } },
          required: ["values"],
        },
        {
          properties: { operator: { enum: ["Exists", "DoesNotExist"] } },
          not: { required: ["values"] },
        },
      ],
      ...(roots.length === 0
        ? {}
        : {
            "x-kubernetes-validations": [
              rule(
                `self.key.matches('${first}')`,
                `key must begin with one of: ${roots.join(", ")}`,
              ),
            ],
          }),
    },
    mostItems.requirements,
  );
}

export function selectors(roots: readonly string[]): JsonObject {
  return {
    selector: labels,
    selectorMatchExpressions: labelRequirements,
    selectorMatchFields: fieldRequirements(roots),
  };
}

export const selectorRule = rule(
  "(has(self.selector) && size(self.selector) > 0) || (has(self.selectorMatchExpressions) && size(self.selectorMatchExpressions) > 0) || (has(self.selectorMatchFields) && size(self.selectorMatchFields) > 0)",
  "at least one of selector, selectorMatchExpressions and selectorMatchFields must be set",
);

function optionSelector(roots: readonly string[]): JsonObject {
  return object(
    {
      matchLabels: labels,
      matchExpressions: labelRequirements,
      matchFields: fieldRequirements(roots),
    },
    [],
    {
      "x-kubernetes-validations": [
        rule(
          "(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0) || (has(self.matchFields) && size(self.matchFields) > 0)",
          "at least one of matchFields, matchLabels and matchExpressions must be set",
        ),
      ],
    },
  );
}

export function templateRef(
  kinds: readonly string[],
  roots: readonly string[],
  fewestOptions: number,
): JsonObject {
  const option = object(
    { name: objectName, passThrough: name, selector: optionSelector(roots) },
    ["selector"],
    {
      "x-kubernetes-validations": [
        rule(
          "has(self.name) != has(self.passThrough)",
          "exactly one of name and passThrough must be set",
        ),
      ],
    },
  );
  const options = list(option, mostItems.options, {
    minItems: fewestOptions,
    "x-kubernetes-validations": [
      rule(
        "self.all(o, !has(o.name) || self.exists_one(p, has(p.name) && p.name == o.name))",
        "option names must be unique",
      ),
      rule(
        "self.filter(o, has(o.passThrough)).size() <= 1",
        "at most one option may pass an input through",
      ),
    ],
  });
  return object(
    { kind: { type: "string", enum: [...kinds] }, name: objectName, options },
    ["kind"],
    {
      "x-kubernetes-validations": [
        rule("has(self.name) != has(self.options)", "exactly one of name and options must be set"),
      ],
    },
  );
}

/** A blueprint fixes a parameter with a value, or proposes one with a default. */
export const blueprintParams = named(
  {
    type: "object",
    required: ["name"],
    properties: { name, value: anything, default: anything },
    oneOf: [{ required: ["value"] }, { required: ["default"] }],
  },
  mostItems.params,
);

export const ownerParams = named(
  object({ name, value: anything }, ["name", "value"]),
  mostItems.params,
);

export const templateParams = named(
  object({ name, default: anything }, ["name", "default"]),
  mostItems.params,
);

export const inputs = named(
  object({ name, resource: name }, ["name", "resource"]),
  mostItems.inputs,
);

export function steps(items: JsonObject): JsonObject {
  return named(items, mostItems.steps, { minItems: 1 });
}

export const serviceAccountRef = object({ name: objectName, namespace: name }, ["name"]);
export const serviceAccountName = objectName;

export const conditions: JsonObject = list(
  object(
    {
      type: text,
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      reason: text,
      message: text,
      lastTransitionTime: { type: "string", format: "date-time" },
      observedGeneration: { type: "integer", format: "int64" },
    },
    ["type", "status"],
  ),
  32,
  { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] },
);

export const observedGeneration: JsonObject = { type: "integer", format: "int64" };

const reference = { kind: text, namespace: text, name: text, apiVersion: text };

export const ownerReference = object(reference);

/** What is no longer stamped and stays, and why. */
export const stayingObjects: JsonObject = list(
  object({ ...reference, reason: text, message: text }),
  64,
);

/** What the controller created, changed, replaced and pruned, run by run. */
export const history: JsonObject = list(anyObject, 64);

/** What is told of each step in the status of an owner. */
export const stepStatuses: JsonObject = list(
  object(
    {
      name: text,
      stampedRef: object({
        ...reference,
        uid: text,
        resourceVersion: text,
        fieldPath: text,
        resource: text,
      }),
      templateRef: object(reference),
      inputs: list(object({ name: text }, ["name"]), 64),
      outputs: list(
        object(
          {
            name: text,
            preview: text,
            digest: text,
            lastTransitionTime: { type: "string", format: "date-time" },
          },
          ["name", "preview", "digest", "lastTransitionTime"],
        ),
        8,
      ),
      conditions,
    },
    ["name"],
  ),
  64,
);
