import type { JsonObject, JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** What a plugin may know of the resource that it describes. */
export interface PluginContext {
  readonly namespace: string;
  /** The name that the object will have. */
  readonly objectName: string;
  /** The object as it is now, if it is there. */
  readonly actual: KubernetesObject | undefined;
  /** The objects of the resources that this one waits for, by their names in the bundle. */
  readonly dependencies: Readonly<Record<string, KubernetesObject>>;
}

/**
 * Makes the object of a resource from a shorter description. It computes and does nothing else: the
 * same input gives the same object.
 *
 * @example
 * const settings: BundlePlugin = {
 *   describe: () => ({ apiVersion: "v1", kind: "ConfigMap" }),
 *   process: (spec) => ({ data: { text: String(spec["text"]) } }),
 * };
 */
export interface BundlePlugin {
  /** Of which kind its objects are. */
  readonly describe: () => { readonly apiVersion: string; readonly kind: string };
  /** The object without apiVersion, kind, name and namespace, which are filled in. */
  readonly process: (spec: JsonObject, context: PluginContext) => Readonly<Record<string, unknown>>;
  /** What is wrong with a description, if anything, before any of its references are known. */
  readonly check?: (spec: JsonObject) => readonly string[];
}

/** Whether something that was loaded is a plugin. */
export function isBundlePlugin(value: unknown): value is BundlePlugin {
  if (typeof value !== "object" || value === null) return false;
  const { describe, process, check } = value as Partial<BundlePlugin>;
  return (
    typeof describe === "function" &&
    typeof process === "function" &&
    (check === undefined || typeof check === "function")
  );
}

/** The object that a plugin makes, or why it makes none. */
export function runPlugin(
  plugin: BundlePlugin,
  spec: JsonObject,
  context: PluginContext,
):
  | { readonly kind: "object"; readonly object: KubernetesObject }
  | { readonly kind: "problem"; readonly message: string } {
  try {
    const { apiVersion, kind } = plugin.describe();
    const made = plugin.process(spec, context) as Readonly<Record<string, JsonValue>>;
    if (typeof made !== "object" || made === null || Array.isArray(made))
      return { kind: "problem", message: "it gave no object" };
    const metadata = (made["metadata"] ?? {}) as KubernetesObject["metadata"];
    const name = context.objectName;
    return {
      kind: "object",
      object: { ...made, apiVersion, kind, metadata: { ...metadata, name } },
    };
  } catch (error) {
    return { kind: "problem", message: error instanceof Error ? error.message : String(error) };
  }
}
