/**
 * `keelson/blueprints`: supply chains, deliveries and templates written in TypeScript. They come out as
 * the objects that a cluster takes; what is wired wrongly does not compile. The controller never runs
 * such a program: it only sees the objects.
 */
import type { KubernetesObject } from "../../objects/index.ts";
import { writeYaml } from "../../objects/write-yaml.ts";

export {
  type BlueprintSettings,
  type ChainStep,
  delivery,
  type DeliveryStep,
  type Param,
  type StepOf,
  supplyChain,
} from "./blueprints.ts";
export {
  allOf,
  type Choice,
  choose,
  doesNotExist,
  exists,
  hasLabel,
  isIn,
  type Key,
  notIn,
  type Option,
  option,
  passThrough,
  type Selector,
} from "./choices.ts";
export {
  configTemplate,
  deploymentTemplate,
  type Emits,
  type FieldRequirement,
  type HealthRule,
  imageTemplate,
  sourceTemplate,
  type StampedTemplate,
  type Template,
  template,
  type TemplateSpec,
} from "./templates.ts";

/** Blueprints as a YAML stream, for `kubectl apply -f -` and for a repository. */
export function toYaml(...blueprints: readonly (readonly KubernetesObject[])[]): string {
  const objects = new Map(
    blueprints
      .flat()
      .map((object) => [
        `${object.apiVersion} ${object.kind} ${object.metadata.name ?? ""}`,
        object,
      ]),
  );
  return writeYaml(objects.values());
}
