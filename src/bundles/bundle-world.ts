import type { JsonObject } from "../json/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import type { Comparison, DependencyState, StepTrouble } from "../plan/index.ts";
import type { Readiness } from "../readiness/index.ts";
import type { BundlePlugin } from "./bundle-plugin.ts";

/** An object in the namespace of a bundle. */
export interface BundleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** An output object: what a claim hands on. */
export interface OutputObject {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
}

/** Why a value cannot be taken from an object: it is forbidden, or nobody knows yet whether it is. */
export interface Unreadable {
  readonly kind: "refused" | "waiting";
  readonly message: string;
}

/** What must be known to compute values of references. */
export interface ReferenceWorld {
  /** What stands against reading an object for this bundle; undefined when its account may get it. */
  readonly unreadable: (object: BundleObject) => Unreadable | undefined;
  /** The object that a claim's definition says belongs to it, with the name of the output in it. */
  readonly bindingOf: (
    claim: KubernetesObject,
  ) =>
    | { readonly kind: "bound"; readonly binding: KubernetesObject; readonly outputName: string }
    | { readonly kind: "waiting" | "problem"; readonly message: string };
  /** The output object of a name: a Secret, or else a ConfigMap. */
  readonly output: (name: string) => OutputObject | undefined;
  /** What a Secret holds, decoded. */
  readonly secretData: (name: string) => JsonObject | undefined;
}

/** Everything that is known of the cluster around one bundle. */
export interface BundleWorld extends ReferenceWorld {
  readonly live: (object: BundleObject) => KubernetesObject | undefined;
  /** How an object is that is not of the bundle; undefined when it was not looked at yet. */
  readonly outside: (identity: ObjectIdentity) => DependencyState | undefined;
  readonly isNamespaced: (object: BundleObject) => boolean;
  readonly readinessOf: (object: KubernetesObject) => Readiness;
  readonly compare: (wanted: KubernetesObject, live: KubernetesObject) => Comparison;
  /** What the server holds against an object that is about to be written, as far as it was asked. */
  readonly problemOf: (object: KubernetesObject) => string | undefined;
  /** What the server holds against an object with the examples of its references. */
  readonly exampleProblem: (object: KubernetesObject) => string | undefined;
  /** A digest of the contents of a Secret or ConfigMap; undefined when it is not there. */
  readonly digestOf: (kind: "Secret" | "ConfigMap", name: string) => string | undefined;
  /** The finalizers of an output object. */
  readonly finalizersOf: (output: OutputObject) => readonly string[] | undefined;
  readonly plugin: (name: string) => BundlePlugin | undefined;
  /** What became of the last step for a resource, an output or an object, if that was not well. */
  readonly trouble: (of: string) => StepTrouble | undefined;
  /** Why an object must not be written once more: it does not stay as it is written. */
  readonly unrest: (
    resource: string,
    wanted: KubernetesObject,
  ) => Pick<StepTrouble, "isRetried" | "message"> | undefined;
  /** A short text that stands for a longer one. */
  readonly hash: (text: string) => string;
  /** The time to write down for what changes now. */
  readonly now: string;
}
