import type { JsonObject, JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { Bundle, BundleResource } from "./bundle.ts";
import { type BundlePlugin, runPlugin } from "./bundle-plugin.ts";
import type { BundleObject, OutputObject, ReferenceWorld } from "./bundle-world.ts";
import { NoTextError, withReferences } from "./reference-text.ts";
import { keyObject, referenceValues } from "./reference-value.ts";

/** The object that a resource is to be, as far as it can be known. */
export type Described =
  | {
      readonly kind: "object";
      readonly object: KubernetesObject;
      /** Output objects of claims whose names stand in it. */
      readonly outputs: readonly OutputObject[];
    }
  | { readonly kind: "waiting" | "refused" | "problem"; readonly message: string };

/** What describing needs: the objects of other resources, and the plugins. */
export interface DescribingWorld extends ReferenceWorld {
  readonly dependency: (resource: string) => KubernetesObject | undefined;
  readonly actual: (object: BundleObject) => KubernetesObject | undefined;
  readonly plugin: (name: string) => BundlePlugin | undefined;
}

/** The kind and name of a resource's object; undefined when its plugin is not there. */
export function objectOf(
  { target }: BundleResource,
  plugin: (name: string) => BundlePlugin | undefined,
): BundleObject | undefined {
  if (target.kind === "object") {
    const { apiVersion, kind, metadata } = target.object;
    return { apiVersion, kind, name: metadata.name ?? "" };
  }
  const described = plugin(target.plugin)?.describe();
  return described === undefined ? undefined : { ...described, name: target.objectName };
}

/**
 * Makes the object of one resource from what it says and from the objects that it refers to. The
 * command line and the controller both make objects here.
 */
export function describeResource(
  bundle: Bundle,
  resource: BundleResource,
  world: DescribingWorld,
): Described {
  const taken = referenceValues(resource.references, world.dependency, world);
  if (taken.kind !== "values") return taken;
  const { values, outputs } = taken;
  // A plugin gets all that its resource waits for, whole.
  const given = resource.target.kind === "plugin" ? resource.waitsFor : [];
  for (const name of given) {
    const dependency = world.dependency(name);
    const unreadable =
      dependency === undefined ? undefined : world.unreadable(keyObject(dependency));
    if (unreadable !== undefined) return unreadable;
  }
  const made = fillResource(bundle, resource, (name) => values.get(name) ?? null, world);
  return made.kind === "object" ? { ...made, outputs } : made;
}

/** The object with examples in the places of references; undefined when one has no example. */
export function exampleOf(
  bundle: Bundle,
  resource: BundleResource,
  plugin: (name: string) => BundlePlugin | undefined,
): Described | undefined {
  const named = resource.references.filter(({ name }) => name !== undefined);
  if (named.length === 0 || named.some(({ example }) => example === undefined)) return undefined;
  const examples = new Map(named.map(({ name, example }) => [name, example ?? null]));
  const made = fillResource(bundle, resource, (name) => examples.get(name) ?? null, {
    dependency: () => undefined,
    actual: () => undefined,
    plugin,
  });
  return made.kind === "object" ? { ...made, outputs: [] } : made;
}

/** The object of a resource with given values in the places of its references. */
export function fillResource(
  bundle: Bundle,
  { name, target, waitsFor }: BundleResource,
  given: (name: string) => JsonValue,
  world: Pick<DescribingWorld, "actual" | "dependency" | "plugin">,
):
  | { readonly kind: "object"; readonly object: KubernetesObject }
  | { readonly kind: "problem"; readonly message: string } {
  try {
    const value = target.kind === "object" ? target.object : target.spec;
    const filled = withReferences(value as unknown as JsonValue, given);
    const made =
      target.kind === "object"
        ? { kind: "object" as const, object: filled as unknown as KubernetesObject }
        : fromPlugin(bundle, target, filled as JsonObject, waitsFor, world);
    if (made.kind === "problem") return made;
    const { object } = made;
    const metadata = { ...object.metadata, namespace: bundle.namespace };
    return { kind: "object", object: { ...object, metadata } };
  } catch (error) {
    if (error instanceof NoTextError)
      return { kind: "problem", message: `${name}: ${error.message}` };
    throw error;
  }
}

function fromPlugin(
  { namespace }: Bundle,
  target: { readonly plugin: string; readonly objectName: string },
  spec: JsonObject,
  waitsFor: readonly string[],
  world: Pick<DescribingWorld, "actual" | "dependency" | "plugin">,
): ReturnType<typeof runPlugin> {
  const plugin = world.plugin(target.plugin);
  if (plugin === undefined)
    return { kind: "problem", message: `the plugin ${target.plugin} is not installed` };
  const { objectName } = target;
  const dependencies = Object.fromEntries(
    waitsFor.flatMap((name) => {
      const object = world.dependency(name);
      return object === undefined ? [] : [[name, object]];
    }),
  );
  const actual = world.actual({ ...plugin.describe(), name: objectName });
  const made = runPlugin(plugin, spec, { namespace, objectName, actual, dependencies });
  return made.kind === "object"
    ? made
    : { kind: "problem", message: `the plugin ${target.plugin} failed: ${made.message}` };
}
