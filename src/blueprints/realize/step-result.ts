import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Step } from "../model/blueprint.ts";
import type { Template } from "../model/template.ts";
import type { Health } from "../stamping/health-of.ts";
import type { StepOutput } from "../stamping/outputs.ts";
import type { Action } from "./realization.ts";

/** What became of one step. */
export interface StepResult {
  readonly step: Step;
  readonly actions: readonly Action[];
  readonly submitted: Submitted;
  /** What it emits, once it does. */
  readonly output: StepOutput | undefined;
  /** What is told of it; undefined where nothing new is known, and what was told stays. */
  readonly realized: RealizedReferences | undefined;
  readonly health: Health | undefined;
  /** The template that it uses, once that is found. */
  readonly template?: Template | undefined;
  /** The objects that belong to it now; undefined while that cannot be said, and none may go. */
  readonly keeps: readonly KubernetesObject[] | undefined;
}

export interface Submitted {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export interface RealizedReferences {
  readonly templateRef: JsonObject | undefined;
  readonly stampedRef: JsonObject | undefined;
}

/** A step that did not come to an object: it keeps what it has. */
export function unfinished(
  step: Step,
  submitted: Submitted,
  actions: readonly Action[] = [],
): StepResult {
  return {
    step,
    actions,
    submitted,
    output: undefined,
    realized: undefined,
    health: undefined,
    keeps: undefined,
  };
}

export function realizedRefs(
  template: Template,
  object: KubernetesObject,
  resource: string | undefined,
): RealizedReferences {
  const { apiVersion, kind, name } = template;
  return {
    templateRef: { kind, name, apiVersion },
    stampedRef: {
      kind: object.kind,
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name ?? "",
      apiVersion: object.apiVersion,
      ...(resource === undefined ? {} : { resource }),
    },
  };
}
