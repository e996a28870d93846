import type { KubernetesObject } from "../../objects/index.ts";
import type { Family } from "../groups.ts";
import type { Blueprint, Step } from "../model/blueprint.ts";
import type { Template } from "../model/template.ts";
import { sha256 } from "./digest.ts";

export const labelPrefix = "carto.run/";
export const stepLabel = `${labelPrefix}resource-name`;
export const templateKindLabel = `${labelPrefix}template-kind`;
export const templateNameLabel = `${labelPrefix}cluster-template-name`;
export const templateLifecycleLabel = `${labelPrefix}template-lifecycle`;
export const runnableLabel = `${labelPrefix}runnable-name`;
export const runTemplateLabel = `${labelPrefix}run-template-name`;
/** The fingerprint of what was stamped: tells, after any restart, whether it is still what is wanted. */
export const digestAnnotation = "keelson.dev/stamped-digest";
/** The service account that wrote it, as whom it is deleted when nobody stamps it any more. */
export const accountAnnotation = "keelson.dev/service-account";

export type StampLabels = Readonly<Record<string, string>>;

/** The labels that every stamped object has. */
export function stampLabels(
  owner: KubernetesObject,
  { ownerName, nameLabel }: Family,
  blueprint: Pick<Blueprint, "name">,
  step: Step,
  template: Pick<Template, "name" | "lifecycle">,
): StampLabels {
  return {
    [`${labelPrefix}${ownerName}-name`]: labelValue(owner.metadata.name ?? ""),
    [`${labelPrefix}${ownerName}-namespace`]: labelValue(owner.metadata.namespace ?? ""),
    [`${labelPrefix}${nameLabel}`]: labelValue(blueprint.name),
    [stepLabel]: labelValue(step.name),
    [templateKindLabel]: step.templateKind,
    [templateNameLabel]: labelValue(template.name),
    [templateLifecycleLabel]: template.lifecycle,
  };
}

const longestValue = 63;

/** A name as a label can hold it: those of templates may be longer than labels. */
export function labelValue(name: string): string {
  return name.length <= longestValue
    ? name
    : `${name.slice(0, longestValue - 11)}-${sha256(name).slice(0, 10)}`;
}
