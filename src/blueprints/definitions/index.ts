import type { KubernetesObject } from "../../objects/index.ts";
import { blueprintGroups, type BlueprintGroup, families } from "../groups.ts";
import { blueprintDefinition } from "./blueprint-definition.ts";
import { ownerDefinitions } from "./owner-definitions.ts";
import { templateDefinitions } from "./template-definitions.ts";

/** The definitions of every kind in one group. */
export function definitionsOf(group: BlueprintGroup): readonly KubernetesObject[] {
  return [
    ...families.map((family) => blueprintDefinition(group, family)),
    ...ownerDefinitions(group),
    ...templateDefinitions(group),
  ];
}

/** Everything that a cluster must know before it takes supply chains and deliveries. */
export const blueprintDefinitions: readonly KubernetesObject[] =
  blueprintGroups.flatMap(definitionsOf);
