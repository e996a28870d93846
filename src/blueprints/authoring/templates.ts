import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { type BlueprintGroup, blueprintVersion, type TemplateKind } from "../groups.ts";

/** What a step emits, by which steps are wired together. */
export type Emits = "source" | "image" | "config" | "nothing" | "deployment";

/** Any object of Kubernetes with `$(…)$` in its texts. */
export interface StampedTemplate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly generateName?: string } & Readonly<
    Record<string, unknown>
  >;
  readonly [field: string]: unknown;
}

export interface HealthMatch {
  readonly matchConditions?: readonly { readonly type: string; readonly status: string }[];
  readonly matchFields?: readonly (FieldRequirement & { readonly messagePath?: string })[];
}

export interface FieldRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly JsonValue[];
}

export type HealthRule =
  | { readonly alwaysHealthy: Readonly<Record<string, never>> }
  | { readonly singleConditionType: string }
  | { readonly multiMatch: { readonly healthy: HealthMatch; readonly unhealthy: HealthMatch } };

type Body =
  | { readonly template: StampedTemplate; readonly ytt?: never }
  | { readonly ytt: string; readonly template?: never };

type Lifecycle =
  | { readonly lifecycle?: "mutable"; readonly retentionPolicy?: never }
  | {
      readonly lifecycle: "immutable" | "tekton";
      readonly retentionPolicy?: {
        readonly maxFailedRuns: number;
        readonly maxSuccessfulRuns: number;
      };
    };

/** What all templates have. */
export type TemplateSpec = Body &
  Lifecycle & {
    readonly params?: Readonly<Record<string, JsonValue>>;
    readonly healthRule?: HealthRule;
  };

/** A template that emits something of a kind; steps can be wired by it. */
export interface Template<Kind extends Emits> {
  readonly emits: Kind;
  readonly kind: TemplateKind;
  readonly name: string;
  /** The object in one of the API groups. */
  readonly objectIn: (group: BlueprintGroup) => KubernetesObject;
}

/** Stamps an object that emits a source. */
export function sourceTemplate(
  name: string,
  spec: TemplateSpec & { readonly urlPath: string; readonly revisionPath: string },
): Template<"source"> {
  return made("source", "ClusterSourceTemplate", name, spec);
}

/** Stamps an object that emits an image. */
export function imageTemplate(
  name: string,
  spec: TemplateSpec & { readonly imagePath: string },
): Template<"image"> {
  return made("image", "ClusterImageTemplate", name, spec);
}

/** Stamps an object that emits configuration. */
export function configTemplate(
  name: string,
  spec: TemplateSpec & { readonly configPath: string },
): Template<"config"> {
  return made("config", "ClusterConfigTemplate", name, spec);
}

/** Stamps an object that emits nothing. */
export function template(name: string, spec: TemplateSpec): Template<"nothing"> {
  return made("nothing", "ClusterTemplate", name, spec);
}

interface Expected {
  readonly key: string;
  readonly value: string;
}

/** Stamps an object that deploys, and passes its source on once it is deployed. */
export function deploymentTemplate(
  name: string,
  spec: TemplateSpec &
    (
      | { readonly observedMatches: readonly { readonly input: string; readonly output: string }[] }
      | {
          readonly observedCompletion: { readonly succeeded: Expected; readonly failed?: Expected };
        }
    ),
): Template<"deployment"> {
  return made("deployment", "ClusterDeploymentTemplate", name, spec);
}

function made<Kind extends Emits>(
  emits: Kind,
  kind: TemplateKind,
  name: string,
  { params, ...spec }: TemplateSpec,
): Template<Kind> {
  return {
    emits,
    kind,
    name,
    objectIn: (group) => ({
      apiVersion: `${group}/${blueprintVersion}`,
      kind,
      metadata: { name },
      spec: {
        ...spec,
        ...(params === undefined
          ? {}
          : {
              params: Object.entries(params).map(([param, value]): JsonObject => ({
                name: param,
                default: value,
              })),
            }),
      },
    }),
  };
}
