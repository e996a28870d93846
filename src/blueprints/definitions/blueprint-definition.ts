import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { BlueprintGroup, Family } from "../groups.ts";
import { keyRoots } from "../requirements/key-roots.ts";
import { definition } from "./definition.ts";
import * as part from "./schema-parts.ts";

/** The definition of supply chains or of deliveries. */
export function blueprintDefinition(group: BlueprintGroup, family: Family): KubernetesObject {
  const isDelivery = family.ownerKind === "Deliverable";
  const fewestOptions = group === "carto.run" ? 2 : 1;
  const step = part.object(
    {
      name: part.name,
      templateRef: part.templateRef(
        family.templateKinds,
        keyRoots(group, family, "option"),
        fewestOptions,
      ),
      params: part.blueprintParams,
      sources: part.inputs,
      configs: part.inputs,
      ...(isDelivery
        ? { deployment: part.object({ resource: part.name }, ["resource"]) }
        : { images: part.inputs }),
    },
    ["name", "templateRef"],
    { "x-kubernetes-validations": stepRules(isDelivery) },
  );
  return definition({
    group,
    kind: family.blueprintKind,
    shortName: isDelivery ? "cd" : "csc",
    namespaced: false,
    description: isDelivery
      ? "The steps by which a Deliverable reaches its environment."
      : "The steps by which a Workload becomes something that can be delivered.",
    spec: part.object(
      {
        ...part.selectors(keyRoots(group, family, "blueprint")),
        resources: part.steps(step),
        params: part.blueprintParams,
        serviceAccountRef: part.serviceAccountRef,
        optionMatching: { type: "string", enum: ["exactlyOne", "mostSpecific"] },
      },
      ["resources"],
      { "x-kubernetes-validations": [part.selectorRule, ...wiringRules(isDelivery)] },
    ),
    status: part.object({
      observedGeneration: part.observedGeneration,
      conditions: part.conditions,
    }),
  });
}

const sourceKinds = {
  chain: ["ClusterSourceTemplate"],
  delivery: ["ClusterSourceTemplate", "ClusterDeploymentTemplate"],
};

/** An input names a step that emits what it is to be. */
function wiringRules(isDelivery: boolean): JsonObject[] {
  const sources = isDelivery ? sourceKinds.delivery : sourceKinds.chain;
  return [
    inputRule("sources", sources),
    ...(isDelivery ? [] : [inputRule("images", ["ClusterImageTemplate"])]),
    inputRule("configs", ["ClusterConfigTemplate"]),
    ...(isDelivery
      ? [
          part.rule(
            `self.resources.all(r, !has(r.deployment) || self.resources.exists(p, p.name == r.deployment.resource && p.templateRef.kind in [${quoted(sources)}]))`,
            `deployment must name a step of kind ${sources.join(" or ")}`,
          ),
        ]
      : []),
  ];
}

function inputRule(field: string, kinds: readonly string[]): JsonObject {
  return part.rule(
    `self.resources.all(r, !has(r.${field}) || r.${field}.all(i, self.resources.exists(p, p.name == i.resource && p.templateRef.kind in [${quoted(kinds)}])))`,
    `${field} must name steps of kind ${kinds.join(" or ")}`,
  );
}

/** A step may only pass on an input of its own, of the kind that it emits. */
function stepRules(isDelivery: boolean): JsonObject[] {
  const emits: readonly (readonly [kind: string, field: string])[] = [
    ["ClusterSourceTemplate", "sources"],
    ...(isDelivery ? [] : [["ClusterImageTemplate", "images"] as const]),
    ["ClusterConfigTemplate", "configs"],
  ];
  const known = emits
    .map(
      ([kind, field]) =>
        `(self.templateRef.kind == '${kind}' && has(self.${field}) && self.${field}.exists(i, i.name == o.passThrough))`,
    )
    .join(" || ");
  return [
    part.rule(
      `!has(self.templateRef.options) || self.templateRef.options.all(o, !has(o.passThrough) || ${known})`,
      "passThrough must name an input of this step, of the kind that the step emits",
    ),
    ...(isDelivery
      ? [
          part.rule(
            "(self.templateRef.kind == 'ClusterDeploymentTemplate') == has(self.deployment)",
            "a ClusterDeploymentTemplate takes a deployment, and nothing else does",
          ),
          part.rule(
            "self.templateRef.kind != 'ClusterDeploymentTemplate' || !has(self.configs)",
            "a ClusterDeploymentTemplate takes no configs",
          ),
        ]
      : []),
  ];
}

function quoted(names: readonly string[]): string {
  return names.map((each) => `'${each}'`).join(", ");
}
