import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { type BlueprintGroup, blueprintVersion } from "../groups.ts";
import type { Choice } from "./choices.ts";
import type { Emits, FieldRequirement, Template } from "./templates.ts";

/** A step that emits something, for those that take it. */
export interface StepOf<Kind extends Emits> {
  readonly step: string;
  readonly emits: Kind;
}

/** A value that the owner may not change, or a default that it may. */
export type Param = { readonly value: JsonValue } | { readonly default: JsonValue };

type Params = Readonly<Record<string, Param>>;
type Sources = Readonly<Record<string, StepOf<"source">>>;
type Images = Readonly<Record<string, StepOf<"image">>>;
type Configs = Readonly<Record<string, StepOf<"config">>>;

interface ChainInputs {
  readonly params?: Params;
  readonly sources?: Sources;
  readonly images?: Images;
  readonly configs?: Configs;
}

interface DeliveryInputs {
  readonly params?: Params;
  readonly sources?: Readonly<Record<string, StepOf<"source"> | StepOf<"deployment">>>;
  readonly configs?: Configs;
}

/** What is handed on must be an input. */
type Needs<Kind extends Emits, Passed extends string> = [Passed] extends [never]
  ? unknown
  : Kind extends "source"
    ? { readonly sources: { readonly [Name in Passed]: StepOf<"source"> } }
    : Kind extends "image"
      ? { readonly images: { readonly [Name in Passed]: StepOf<"image"> } }
      : Kind extends "config"
        ? { readonly configs: { readonly [Name in Passed]: StepOf<"config"> } }
        : never;

type Uses<Kind extends Emits, Passed extends string> = Template<Kind> | Choice<Kind, Passed>;

/** Adds a step to a supply chain. */
export interface ChainStep {
  <Kind extends "source" | "image" | "config" | "nothing">(
    name: string,
    uses: Uses<Kind, never>,
    inputs?: ChainInputs,
  ): StepOf<Kind>;
  <Kind extends "source" | "image" | "config", Passed extends string>(
    name: string,
    uses: Choice<Kind, Passed>,
    inputs: ChainInputs & Needs<NoInfer<Kind>, NoInfer<Passed>>,
  ): StepOf<Kind>;
}

/** Adds a step to a delivery. */
export interface DeliveryStep {
  (
    name: string,
    uses: Uses<"deployment", never>,
    inputs: {
      readonly deployment: StepOf<"source"> | StepOf<"deployment">;
      readonly params?: Params;
    },
  ): StepOf<"deployment">;
  <Kind extends "source" | "config" | "nothing">(
    name: string,
    uses: Uses<Kind, never>,
    inputs?: DeliveryInputs,
  ): StepOf<Kind>;
  <Kind extends "source" | "config", Passed extends string>(
    name: string,
    uses: Choice<Kind, Passed>,
    inputs: DeliveryInputs & Needs<NoInfer<Kind>, NoInfer<Passed>>,
  ): StepOf<Kind>;
}

export interface BlueprintSettings {
  /** kontinue.io unless given. */
  readonly group?: BlueprintGroup;
  readonly selector?: Readonly<Record<string, string>>;
  readonly selectorMatchFields?: readonly FieldRequirement[];
  readonly selectorMatchExpressions?: readonly {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    readonly values?: readonly string[];
  }[];
  readonly params?: Params;
  readonly serviceAccountRef?: { readonly name: string; readonly namespace?: string };
  readonly optionMatching?: "exactlyOne" | "mostSpecific";
}

/**
 * A supply chain and the templates that it uses, as the objects that a cluster takes.
 *
 * @example
 * supplyChain("web", { selector: { app: "web" } }, (step) => {
 *   const source = step("source", choose(option(git, exists("workload.spec.source.git"))));
 *   const image = step("image", kpack, { sources: { source } });
 *   step("run", app, { images: { image } });
 * });
 */
export function supplyChain(
  name: string,
  settings: BlueprintSettings,
  define: (step: ChainStep) => void,
): readonly KubernetesObject[] {
  return build("ClusterSupplyChain", name, settings, (step) => {
    define(step);
  });
}

/** A delivery and the templates that it uses. */
export function delivery(
  name: string,
  settings: BlueprintSettings,
  define: (step: DeliveryStep) => void,
): readonly KubernetesObject[] {
  return build("ClusterDelivery", name, settings, (step) => {
    define(step as DeliveryStep);
  });
}

interface AnyInputs {
  readonly params?: Params;
  readonly sources?: Readonly<Record<string, StepOf<Emits>>>;
  readonly images?: Images;
  readonly configs?: Configs;
  readonly deployment?: StepOf<Emits>;
}

type AnyStep = (name: string, uses: Uses<Emits, string>, inputs?: AnyInputs) => StepOf<Emits>;

function build(
  kind: "ClusterSupplyChain" | "ClusterDelivery",
  name: string,
  { group = "kontinue.io", params, ...settings }: BlueprintSettings,
  define: (step: AnyStep) => void,
): readonly KubernetesObject[] {
  const resources: JsonObject[] = [];
  const templates = new Map<string, KubernetesObject>();
  const use = (template: Template<Emits>): string => {
    templates.set(`${template.kind}/${template.name}`, template.objectIn(group));
    return template.name;
  };
  define((step, uses, inputs = {}) => {
    resources.push({ name: step, templateRef: templateRef(uses, use), ...inputFields(inputs) });
    return { step, emits: uses.emits };
  });
  const blueprint: KubernetesObject = {
    apiVersion: `${group}/${blueprintVersion}`,
    kind,
    metadata: { name },
    spec: { ...settings, ...paramFields(params), resources },
  };
  return [blueprint, ...templates.values()];
}

const kinds = {
  source: "ClusterSourceTemplate",
  image: "ClusterImageTemplate",
  config: "ClusterConfigTemplate",
  nothing: "ClusterTemplate",
  deployment: "ClusterDeploymentTemplate",
} as const;

function templateRef(
  uses: Uses<Emits, string>,
  use: (template: Template<Emits>) => string,
): JsonObject {
  const kind = kinds[uses.emits];
  if (!("options" in uses)) return { kind, name: use(uses) };
  return {
    kind,
    options: uses.options.map(({ template, passed, selector }): JsonObject => ({
      ...(template === undefined ? { passThrough: passed ?? "" } : { name: use(template) }),
      selector: selector as JsonObject,
    })),
  };
}

function inputFields({ params, deployment, ...groups }: AnyInputs): JsonObject {
  const fields: JsonObject = { ...paramFields(params) };
  for (const [group, inputs] of Object.entries(groups))
    fields[group] = Object.entries(inputs).map(([name, { step }]): JsonObject => ({
      name,
      resource: step,
    }));
  if (deployment !== undefined) fields["deployment"] = { resource: deployment.step };
  return fields;
}

function paramFields(params: Params | undefined): JsonObject {
  if (params === undefined) return {};
  return {
    params: Object.entries(params).map(([name, param]): JsonObject => ({ name, ...param })),
  };
}
