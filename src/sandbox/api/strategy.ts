import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "./api-context.ts";
import type { ServedResource } from "./served-resource.ts";
import { builtinStrategies } from "./strategies/index.ts";

/** What is particular about the life of one resource's objects. */
export interface Strategy {
  /** `metadata.generation` counts changes of what is wished for. */
  readonly generation: boolean;
  /** A change of labels counts for the generation too. */
  readonly labelsCount?: boolean;
  /** A change of annotations counts for the generation too. */
  readonly annotationsCount?: boolean;
  /** What a client writes into `status` when creating is dropped, kept, or replaced by this. */
  readonly initialStatus: "drop" | "keep" | Readonly<Record<string, unknown>>;
  /** PUT to a name that does not exist creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resourceVersion is allowed. */
  readonly unconditionalUpdate: boolean;
  /** A deletion answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** Dependents stay unless a deletion asks for something else, and its sender is told so. */
  readonly orphansByDefault?: string;
  /** Added when an object is deleted, for whoever cleans up after it. */
  readonly deletionFinalizers?: readonly string[];
  /** What the server adds while it reads an object, so that its sender owns it. */
  readonly decode?: (object: KubernetesObject) => KubernetesObject;
  /** Completes an object that is about to be created: allocations, admission. */
  readonly prepareCreate?: (object: KubernetesObject, context: ApiContext) => KubernetesObject;
  readonly prepareUpdate?: (
    object: KubernetesObject,
    old: KubernetesObject,
    context: ApiContext,
    subresource: string,
  ) => KubernetesObject;
}

const ordinary: Strategy = {
  generation: false,
  initialStatus: "keep",
  createOnUpdate: false,
  unconditionalUpdate: true,
  returnsDeletedObject: false,
};

export function strategyOf(resource: ServedResource): Strategy {
  if (resource.custom !== undefined) {
    const { statusSubresource } = resource.custom;
    return {
      ...ordinary,
      generation: true,
      initialStatus: statusSubresource ? "drop" : "keep",
      unconditionalUpdate: false,
    };
  }
  return builtins.get(resource.storageKey) ?? ordinary;
}

const builtins = new Map<string, Strategy>(
  Object.entries(builtinStrategies).map(([key, strategy]) => [key, { ...ordinary, ...strategy }]),
);
