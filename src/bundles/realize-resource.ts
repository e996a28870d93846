import { controllerOf, type KubernetesObject } from "../objects/index.ts";
import type { Readiness } from "../readiness/index.ts";
import { type Bundle, type BundleResource, outputFinalizer } from "./bundle.ts";
import type { BundleObject, BundleWorld, OutputObject } from "./bundle-world.ts";
import { withConfigHash } from "./config-hash.ts";
import { stateByDependsOn } from "./depends-on.ts";
import {
  type DescribingWorld,
  describeResource,
  exampleOf,
  objectOf,
} from "./describe-resource.ts";
import { isOfBundle, withOwners } from "./owners.ts";
import type { BundleAction } from "./realize.ts";
import { errorState, progressing, type ResourceState, terminal } from "./resource-state.ts";

/** What is to be done for one resource now, and how it is. */
export interface RealizedResource {
  readonly state: ResourceState;
  readonly actions: readonly BundleAction[];
  /** Output objects that it uses, or will use in a moment. */
  readonly outputs: readonly OutputObject[];
}

/** Looks at one resource after all that it waits for. */
export function realizeResource(
  bundle: Bundle,
  resource: BundleResource,
  states: ReadonlyMap<string, ResourceState>,
  /** The objects of other resources, by the names of these. */
  liveOf: (resource: string) => KubernetesObject | undefined,
  world: BundleWorld,
): RealizedResource {
  const object = objectOf(resource, world.plugin);
  if (object === undefined) return only(terminal(unknownPlugin(resource)));
  const problem = problemOf(bundle, resource, object, world);
  if (problem !== undefined) return only(problem);
  const blockers = resource.waitsFor.filter((name) => states.get(name)?.kind !== "ready");
  if (blockers.length > 0)
    return only({ kind: "blocked", message: `waits for ${blockers.join(", ")}` });
  const described = describeResource(bundle, resource, describing(liveOf, world));
  if (described.kind !== "object") {
    const { kind, message } = described;
    if (kind === "refused") return only({ kind: "error", isRetried: true, message });
    return only(kind === "problem" ? terminal(message) : progressing("ValueNotThere", message));
  }
  const dependencies = resource.waitsFor.flatMap((name) => liveOf(name) ?? []);
  const wanted = withOwners(withConfigHash(described.object, world), bundle, dependencies);
  const { outputs } = described;
  const missing = outputs.filter(
    (output) => !world.finalizersOf(output)?.includes(outputFinalizer(bundle)),
  );
  // The object may refer to an output only once that is sure to stay.
  const [trouble] = missing.flatMap(({ name }) => world.trouble(troubleOfOutput(name)) ?? []);
  if (trouble !== undefined) return { state: errorState(trouble), actions: [], outputs };
  if (missing.length > 0) {
    return {
      state: progressing(
        "HoldingOutput",
        `takes hold of ${missing.map(({ name }) => name).join(", ")}`,
      ),
      actions: missing.map((output) => ({ kind: "hold-output", output })),
      outputs,
    };
  }
  return { ...realizeObject(bundle, resource, wanted, world.live(object), world), outputs };
}

/** The name of what may go wrong with an output. */
export function troubleOfOutput(name: string): string {
  return `output ${name}`;
}

function only(state: ResourceState): RealizedResource {
  return { state, actions: [], outputs: [] };
}

function unknownPlugin({ target }: BundleResource): string {
  return `the plugin ${target.kind === "plugin" ? target.plugin : ""} is not installed`;
}

/** What is wrong whatever the dependencies come to be. */
function problemOf(
  bundle: Bundle,
  resource: BundleResource,
  object: BundleObject,
  world: BundleWorld,
): ResourceState | undefined {
  if (!world.isNamespaced(object))
    return terminal(
      `${object.kind} objects are in no namespace; a bundle can have only those that are`,
    );
  const { target } = resource;
  if (target.kind === "plugin") {
    const [wrong] = world.plugin(target.plugin)?.check?.(target.spec) ?? [];
    if (wrong !== undefined)
      return terminal(`the plugin ${target.plugin} refuses its spec: ${wrong}`);
  }
  const example = exampleOf(bundle, resource, world.plugin);
  if (example?.kind === "problem") return terminal(`with its examples: ${example.message}`);
  const invalid = example?.kind === "object" ? world.exampleProblem(example.object) : undefined;
  if (invalid !== undefined) return terminal(`with its examples: ${invalid}`);
  const live = world.live(object);
  if (live === undefined || isOfBundle(live, bundle)) return undefined;
  const owner = controllerOf(live);
  const whose = owner === undefined ? "nobody" : `${owner.kind} ${owner.name}`;
  return terminal(
    `${object.kind} ${object.name} exists and is controlled by ${whose}, not by this bundle`,
  );
}

/** Finds the objects of resources by the names of these. */
export function liveObjects(
  bundle: Bundle,
  world: BundleWorld,
): (resource: string) => KubernetesObject | undefined {
  const byName = new Map(bundle.resources.map((resource) => [resource.name, resource]));
  return (name) => {
    const resource = byName.get(name);
    const object = resource === undefined ? undefined : objectOf(resource, world.plugin);
    return object === undefined ? undefined : world.live(object);
  };
}

function describing(
  dependency: DescribingWorld["dependency"],
  world: BundleWorld,
): DescribingWorld {
  return { ...world, dependency, actual: world.live };
}

function realizeObject(
  bundle: Bundle,
  { name }: BundleResource,
  wanted: KubernetesObject,
  live: KubernetesObject | undefined,
  world: BundleWorld,
): Pick<RealizedResource, "actions" | "state"> {
  const apply: BundleAction = { kind: "apply", step: name, object: wanted };
  const trouble = world.trouble(name) ?? world.unrest(name, wanted);
  if (trouble !== undefined) return { state: errorState(trouble), actions: [] };
  const isChange = live === undefined || world.compare(wanted, live) === "different";
  const invalid = isChange ? world.problemOf(wanted) : undefined;
  if (invalid !== undefined) return { state: terminal(invalid), actions: [] };
  if (isChange && live?.metadata.deletionTimestamp === undefined) {
    const waiting = stateByDependsOn(wanted, bundle, world);
    if (waiting !== undefined) return { state: waiting, actions: [] };
  }
  if (live === undefined)
    return { state: progressing("Creating", `${wanted.kind} is being made`), actions: [apply] };
  if (live.metadata.deletionTimestamp !== undefined)
    return {
      state: progressing("Terminating", `${wanted.kind} is being deleted; then it is made again`),
      actions: [],
    };
  if (isChange)
    return { state: progressing("Updating", `${wanted.kind} is being changed`), actions: [apply] };
  return { state: stateOf(world.readinessOf(live)), actions: [] };
}

function stateOf({ status, reason, message }: Readiness): ResourceState {
  if (status === "Current") return { kind: "ready", message };
  return status === "Failed" ? terminal(message) : progressing(reason, message);
}
