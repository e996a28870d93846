import type { JsonObject, JsonValue } from "../json/index.ts";
import type { KnownScope, KubernetesObject } from "../objects/index.ts";

export const bundleGroup = "smith.atlassian.com";
export const bundleApiVersion = `${bundleGroup}/v1`;
/** The field manager of the objects of bundles. */
export const bundleManager = "keelson-bundles";
/** The second is the name of the same thing in the days of ThirdPartyResources. */
export const bundleKinds = ["Bundle", "Template"] as const;
/** Carried by every object of a bundle, so that a controller needs to watch only these. */
export const bundleLabel = "keelson.dev/bundle";
/** Keeps a bundle until its objects are gone, dependents first. */
export const bundleFinalizer = "keelson.dev/bundle";
/** Names what a new bundle is about to make, until its status does. */
export const plannedObjectsAnnotation = "keelson.dev/planned-objects";
/** Stands in pod templates, so that pods are rolled when what they read has changed. */
export const configHashAnnotation = "keelson.dev/config-hash";

/** Names of service accounts are such as DNS has: nothing else may reach the path of a request. */
export const accountNamePattern = "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$";
export const defaultAccount = "default";

/** Bundles are in namespaces, also where the cluster has never heard of them. */
export const bundleScopes: readonly KnownScope[] = bundleKinds.map((kind) => ({
  group: bundleGroup,
  kind,
  scope: "namespaced",
}));

export const modifiers = ["output", "bindsecret"] as const;
export type Modifier = (typeof modifiers)[number];

/** What one resource of a bundle takes from another. */
export interface BundleReference {
  /** How the text of the object calls it; without one it is only waited for. */
  readonly name?: string | undefined;
  /** The resource that the value comes from. */
  readonly resource: string;
  /** Where the value stands in it. */
  readonly path?: string | undefined;
  /** A value of the same kind, to check the object with before the real one is there. */
  readonly example?: JsonValue | undefined;
  readonly modifier?: Modifier | undefined;
}

export type BundleTarget =
  | { readonly kind: "object"; readonly object: KubernetesObject }
  | {
      readonly kind: "plugin";
      readonly plugin: string;
      readonly objectName: string;
      readonly spec: JsonObject;
    };

export interface BundleResource {
  readonly name: string;
  readonly references: readonly BundleReference[];
  /** All that must be ready first, by name: what it refers to and what it names besides. */
  readonly waitsFor: readonly string[];
  readonly target: BundleTarget;
}

/** A set of resources that refer to each other, in the order in which they can be made. */
export interface Bundle {
  readonly object: KubernetesObject;
  readonly namespace: string;
  /** The service account of its namespace as which a controller reads and writes for it. */
  readonly serviceAccount: string;
  readonly resources: readonly BundleResource[];
}

export function isBundle({
  apiVersion,
  kind,
}: Pick<KubernetesObject, "apiVersion" | "kind">): boolean {
  return apiVersion === bundleApiVersion && (bundleKinds as readonly string[]).includes(kind);
}

/** The finalizer by which a bundle keeps an output object that its own objects use. */
export function outputFinalizer({ object }: Bundle): string {
  return `keelson.dev/bundle-${object.metadata.uid ?? ""}`;
}
