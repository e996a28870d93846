import { fieldAt, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { TemplateKind } from "../groups.ts";
import { objectAt, objectsAt, textAt, valueAt } from "./read-fields.ts";
import { type HealthRule, readHealthRule } from "./health-rule.ts";

/** A template, as the rest of this folder reads it. */
export interface Template {
  readonly kind: TemplateKind;
  readonly name: string;
  readonly apiVersion: string;
  readonly body:
    | { readonly kind: "template"; readonly template: JsonObject }
    | { readonly kind: "ytt"; readonly text: string };
  readonly params: readonly { readonly name: string; readonly value: JsonValue }[];
  readonly healthRule: HealthRule | undefined;
  readonly lifecycle: "mutable" | "immutable" | "tekton";
  readonly retention: Retention;
  readonly output: TemplateOutput;
}

export interface Retention {
  readonly failed: number;
  readonly successful: number;
}

/** Where on a stamped object the outputs are found. */
export type TemplateOutput =
  | { readonly kind: "source"; readonly urlPath: string; readonly revisionPath: string }
  | { readonly kind: "image"; readonly path: string }
  | { readonly kind: "config"; readonly path: string }
  | { readonly kind: "none" }
  | {
      readonly kind: "matches";
      readonly matches: readonly { readonly input: string; readonly output: string }[];
    }
  | {
      readonly kind: "completion";
      readonly succeeded: Expected;
      readonly failed: Expected | undefined;
    };

export interface Expected {
  readonly key: string;
  readonly value: string;
}

const defaultRetention = 10;

const known = new WeakMap<KubernetesObject, Template>();

/** Reads a template, once for every version of it. */
export function readTemplate(object: KubernetesObject): Template {
  const template = known.get(object) ?? parseTemplate(object);
  known.set(object, template);
  return template;
}

function parseTemplate(object: KubernetesObject): Template {
  const spec = fieldAt(object, "spec");
  const kind = object.kind as TemplateKind;
  const lifecycle = textAt(spec, "lifecycle");
  const isRun = lifecycle === "immutable" || lifecycle === "tekton";
  return {
    kind,
    name: object.metadata.name ?? "",
    apiVersion: object.apiVersion,
    body: readBody(spec),
    params: objectsAt(spec, "params").map((param) => ({
      name: textAt(param, "name") ?? "",
      value: valueAt(param, "default") ?? null,
    })),
    healthRule:
      readHealthRule(objectAt(spec, "healthRule")) ??
      (lifecycle === "tekton" ? { kind: "singleCondition", type: "Succeeded" } : undefined),
    lifecycle: isRun ? lifecycle : "mutable",
    retention: readRetention(objectAt(spec, "retentionPolicy")),
    output: readOutput(kind, spec),
  };
}

export function readRetention(policy: JsonObject | undefined): Retention {
  const count = (field: string): number => {
    const value = policy?.[field];
    return typeof value === "number" && value >= 1 ? value : defaultRetention;
  };
  return { failed: count("maxFailedRuns"), successful: count("maxSuccessfulRuns") };
}

function readBody(spec: unknown): Template["body"] {
  const ytt = textAt(spec, "ytt");
  return ytt === undefined
    ? { kind: "template", template: objectAt(spec, "template") ?? {} }
    : { kind: "ytt", text: ytt };
}

function readOutput(kind: TemplateKind, spec: unknown): TemplateOutput {
  const path = (field: string): string => textAt(spec, field) ?? "";
  switch (kind) {
    case "ClusterSourceTemplate":
      return { kind: "source", urlPath: path("urlPath"), revisionPath: path("revisionPath") };
    case "ClusterImageTemplate":
      return { kind: "image", path: path("imagePath") };
    case "ClusterConfigTemplate":
      return { kind: "config", path: path("configPath") };
    case "ClusterTemplate":
      return { kind: "none" };
    case "ClusterDeploymentTemplate":
      return readObserved(spec);
  }
}

function readObserved(spec: unknown): TemplateOutput {
  const completion = objectAt(spec, "observedCompletion");
  if (completion === undefined) {
    return {
      kind: "matches",
      matches: objectsAt(spec, "observedMatches").map((match) => ({
        input: textAt(match, "input") ?? "",
        output: textAt(match, "output") ?? "",
      })),
    };
  }
  const expected = (value: JsonObject | undefined): Expected => ({
    key: textAt(value, "key") ?? "",
    value: textAt(value, "value") ?? "",
  });
  const failed = objectAt(completion, "failed");
  return {
    kind: "completion",
    succeeded: expected(objectAt(completion, "succeeded")),
    failed: failed === undefined ? undefined : expected(failed),
  };
}
