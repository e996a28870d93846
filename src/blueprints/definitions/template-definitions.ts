import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { BlueprintGroup } from "../groups.ts";
import { definition } from "./definition.ts";
import * as part from "./schema-parts.ts";

const path: JsonObject = { type: "string", minLength: 1, maxLength: 1024 };

const matchRule = part.object(
  {
    matchConditions: part.list(
      part.object({ type: part.text, status: part.text }, ["type", "status"]),
      32,
    ),
    matchFields: part.fieldRequirements([], { messagePath: part.text }),
  },
  [],
  {
    "x-kubernetes-validations": [
      part.rule(
        "(has(self.matchConditions) && size(self.matchConditions) > 0) || (has(self.matchFields) && size(self.matchFields) > 0)",
        "at least one of matchConditions and matchFields must be set",
      ),
    ],
  },
);

const healthRule = part.object(
  {
    alwaysHealthy: part.anyObject,
    singleConditionType: { type: "string", minLength: 1 },
    multiMatch: part.object({ healthy: matchRule, unhealthy: matchRule }, ["healthy", "unhealthy"]),
  },
  [],
  {
    "x-kubernetes-validations": [
      part.rule(
        "[has(self.alwaysHealthy), has(self.singleConditionType), has(self.multiMatch)].filter(each, each).size() == 1",
        "exactly one of alwaysHealthy, singleConditionType and multiMatch must be set",
      ),
    ],
  },
);

export const retentionPolicy: JsonObject = part.object(
  {
    maxFailedRuns: { type: "integer", format: "int64", minimum: 1 },
    maxSuccessfulRuns: { type: "integer", format: "int64", minimum: 1 },
  },
  ["maxFailedRuns", "maxSuccessfulRuns"],
);

function templateSpec(
  outputs: JsonObject,
  required: readonly string[],
  rules: readonly JsonObject[] = [],
): JsonObject {
  return {
    ...part.object(
      {
        template: part.anyObject,
        ytt: { type: "string", minLength: 1 },
        params: part.templateParams,
        healthRule,
        lifecycle: {
          type: "string",
          enum: ["mutable", "immutable", "tekton"],
          default: "mutable",
        },
        retentionPolicy,
        ...outputs,
      },
      required,
    ),
    "x-kubernetes-validations": [
      part.rule(
        "has(self.template) != has(self.ytt)",
        "exactly one of template and ytt must be set",
      ),
      part.rule(
        "self.lifecycle != 'mutable' || !has(self.retentionPolicy)",
        "a mutable template has no retentionPolicy",
      ),
      ...rules,
    ],
  };
}

const condition = part.object({ key: path, value: part.text }, ["key", "value"]);

const deploymentOutputs: JsonObject = {
  observedMatches: part.list(part.object({ input: path, output: path }, ["input", "output"]), 32, {
    minItems: 1,
  }),
  observedCompletion: part.object({ succeeded: condition, failed: condition }, ["succeeded"]),
};

interface TemplateParts {
  readonly kind: string;
  readonly shortName: string;
  readonly description: string;
  readonly spec: JsonObject;
}

const templates: readonly TemplateParts[] = [
  {
    kind: "ClusterSourceTemplate",
    shortName: "cst",
    description: "Stamps an object that emits a source: a URL and a revision.",
    spec: templateSpec({ urlPath: path, revisionPath: path }, ["urlPath", "revisionPath"]),
  },
  {
    kind: "ClusterImageTemplate",
    shortName: "cit",
    description: "Stamps an object that emits an image.",
    spec: templateSpec({ imagePath: path }, ["imagePath"]),
  },
  {
    kind: "ClusterConfigTemplate",
    shortName: "cct",
    description: "Stamps an object that emits configuration.",
    spec: templateSpec({ configPath: path }, ["configPath"]),
  },
  {
    kind: "ClusterTemplate",
    shortName: "ct",
    description: "Stamps an object that emits nothing.",
    spec: templateSpec({}, []),
  },
  {
    kind: "ClusterDeploymentTemplate",
    shortName: "cdt",
    description: "Stamps an object that deploys, and passes its source on once it is deployed.",
    spec: templateSpec(
      deploymentOutputs,
      [],
      [
        part.rule(
          "has(self.observedMatches) != has(self.observedCompletion)",
          "exactly one of observedMatches and observedCompletion must be set",
        ),
      ],
    ),
  },
  {
    kind: "ClusterRunTemplate",
    shortName: "crt",
    description: "Stamps one object for each distinct set of inputs of a Runnable.",
    spec: part.object(
      {
        template: part.anyObject,
        outputs: { type: "object", maxProperties: 64, additionalProperties: part.text },
      },
      ["template"],
    ),
  },
];

export function templateDefinitions(group: BlueprintGroup): readonly KubernetesObject[] {
  return templates.map((template) => definition({ group, namespaced: false, ...template }));
}
