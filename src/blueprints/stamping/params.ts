import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Blueprint, BlueprintParam, Step } from "../model/blueprint.ts";
import { objectsAt, textAt, valueAt } from "../model/read-fields.ts";
import type { Template } from "../model/template.ts";

/**
 * The parameters of one step: template, then blueprint, then step, then owner, each over the one
 * before. A value of the blueprint or of the step is not the owner's to change, a default is; of the
 * two, the step has the last word on that.
 */
export function mergeParams(
  template: Pick<Template, "params"> | undefined,
  blueprint: Pick<Blueprint, "params">,
  step: Pick<Step, "params">,
  owner: KubernetesObject,
): JsonObject {
  const merged = new Map<string, JsonValue>();
  for (const { name, value } of template?.params ?? []) merged.set(name, value);
  const fixed = new Map<string, boolean>();
  for (const param of [...blueprint.params, ...step.params]) set(param, merged, fixed);
  for (const param of objectsAt(owner, "spec", "params")) {
    const name = textAt(param, "name");
    if (name !== undefined && fixed.get(name) !== true)
      merged.set(name, valueAt(param, "value") ?? null);
  }
  return Object.fromEntries(merged);
}

function set(
  param: BlueprintParam,
  merged: Map<string, JsonValue>,
  fixed: Map<string, boolean>,
): void {
  merged.set(param.name, param.value);
  fixed.set(param.name, param.fixed);
}
