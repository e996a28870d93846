import type { Diagnostic } from "../diagnostics/index.ts";
import { emptyInventory } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  readMutations,
  type SourcedObject,
} from "../objects/index.ts";
import type { OrderedComponent } from "./component-order.ts";
import { readDependsOn } from "./depends-on.ts";
import { makePlan } from "./make-plan.ts";
import type { ProgramDesired } from "./program-desired.ts";

/** Desired state as far as it is known without a cluster. */
interface DraftedState {
  readonly objects: readonly SourcedObject[];
  readonly components: readonly OrderedComponent[];
  readonly program?: ProgramDesired | undefined;
}

/**
 * What a plan holds against who waits for whom, whatever is in the cluster: annotations that cannot be read,
 * circles. What is not in the input may be in the cluster.
 */
export function diagnoseOrder({
  objects,
  components,
  program,
}: DraftedState): readonly Diagnostic[] {
  const keys = new Set(objects.map(({ object }) => identityKey(identityOf(object))));
  const reference = { name: "", namespace: "", id: "", source: "" };
  const { invalid } = makePlan({
    desired: objects,
    components,
    program,
    inventory: emptyInventory(reference),
    live: new Map(),
    external: new Set(objects.flatMap(({ object }) => outsideOf(object, keys))),
    policy: "strict",
    manager: "",
    schemaOf: () => undefined,
  });
  return invalid.map(({ diagnostic }) => diagnostic);
}

/** What an object names that may be in the cluster. What the input has in a namespace is not there without one. */
function outsideOf(object: KubernetesObject, keys: ReadonlySet<string>): readonly string[] {
  const { namespace = "" } = object.metadata;
  const isMeant = (target: ObjectIdentity): boolean =>
    target.namespace === "" && keys.has(identityKey({ ...target, namespace }));
  const named = readDependsOn(object).value.filter((target) => !isMeant(target));
  const sources = readMutations(object).value.map(({ source }) => source);
  return [...named, ...sources].map(identityKey);
}
