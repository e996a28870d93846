import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { type BlueprintGroup, deliveries, type Family, supplyChains } from "../groups.ts";
import { definition } from "./definition.ts";
import * as part from "./schema-parts.ts";
import { retentionPolicy } from "./template-definitions.ts";

const source = part.object({
  git: part.object({
    url: part.text,
    ref: part.object({ branch: part.text, tag: part.text, commit: part.text }),
  }),
  image: part.text,
  subPath: part.text,
});

/** Environment variables as containers have them; where a value comes from is not looked into. */
const environment = part.list(
  part.object({ name: part.text, value: part.text, valueFrom: part.anyObject }, ["name"]),
  512,
);

const quantity: JsonObject = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};
const quantities: JsonObject = { type: "object", additionalProperties: quantity };

function ownerStatus({ refField }: Family): JsonObject {
  return part.object({
    observedGeneration: part.observedGeneration,
    conditions: part.conditions,
    [refField]: part.ownerReference,
    resources: part.stepStatuses,
    stayingObjects: part.stayingObjects,
    history: part.history,
  });
}

export function ownerDefinitions(group: BlueprintGroup): readonly KubernetesObject[] {
  return [
    definition({
      group,
      kind: "Workload",
      shortName: "wld",
      namespaced: true,
      description: "What a developer wants to run: where its source is, and what it needs.",
      columns: [
        { name: "SupplyChain", type: "string", jsonPath: ".status.supplyChainRef.name" },
        { name: "Source", type: "string", jsonPath: ".spec.source.git.url", priority: 1 },
      ],
      spec: part.object({
        params: part.ownerParams,
        source,
        build: part.object({ env: environment }),
        env: environment,
        image: part.text,
        resources: part.object({ limits: quantities, requests: quantities }),
        serviceAccountName: part.serviceAccountName,
        serviceClaims: part.list(
          part.object(
            {
              name: part.text,
              ref: part.object({ apiVersion: part.text, kind: part.text, name: part.text }, [
                "apiVersion",
                "kind",
                "name",
              ]),
            },
            ["name"],
          ),
          64,
        ),
      }),
      status: ownerStatus(supplyChains),
    }),
    definition({
      group,
      kind: "Deliverable",
      shortName: "dlv",
      namespaced: true,
      description: "What is to be delivered: the source of its configuration.",
      columns: [{ name: "Delivery", type: "string", jsonPath: ".status.deliveryRef.name" }],
      spec: part.object({
        params: part.ownerParams,
        source,
        serviceAccountName: part.serviceAccountName,
      }),
      status: ownerStatus(deliveries),
    }),
    definition({
      group,
      kind: "Runnable",
      shortName: "run",
      namespaced: true,
      description: "Runs a template once for each distinct set of inputs.",
      spec: part.object(
        {
          runTemplateRef: part.object(
            { kind: { type: "string", enum: ["ClusterRunTemplate"] }, name: part.name },
            ["name"],
          ),
          selector: part.object(
            {
              resource: part.object({ apiVersion: part.text, kind: part.text }, [
                "apiVersion",
                "kind",
              ]),
              matchingLabels: { ...part.labels, minProperties: 1 },
            },
            ["resource", "matchingLabels"],
          ),
          inputs: { type: "object", additionalProperties: part.anything },
          serviceAccountName: part.serviceAccountName,
          retentionPolicy: {
            ...retentionPolicy,
            default: { maxFailedRuns: 10, maxSuccessfulRuns: 10 },
          },
        },
        ["runTemplateRef"],
      ),
      status: part.object({
        observedGeneration: part.observedGeneration,
        conditions: part.conditions,
        outputs: { type: "object", additionalProperties: part.anything },
        stayingObjects: part.stayingObjects,
        history: part.history,
      }),
    }),
  ];
}
