import type { DiagnosticError } from "../diagnostics/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";

/**
 * What an owner in a cluster, a bundle or a supply chain, comes to next for one object. It is compiled from
 * the owner and what is live, with all values in their places, and compiled anew after each step: which
 * objects come after that may follow from the answer.
 */
export type OwnedStep =
  | {
      readonly kind: "apply";
      /** What the owner calls it: a resource of a bundle, a step of a blueprint. */
      readonly step: string;
      readonly object: KubernetesObject;
    }
  | OwnedRemoval;

/** Removes an object that left, or makes it nobody's. */
export type OwnedRemoval =
  | { readonly kind: "delete"; readonly step: string; readonly object: KubernetesObject }
  | {
      readonly kind: "release";
      readonly step: string;
      readonly object: KubernetesObject;
      /** Why it stays. */
      readonly message: string;
    };

/** What stands in the way of a step. */
export interface StepTrouble {
  readonly kind: OwnedStep["kind"] | "other";
  readonly message: string;
  /** Whether it may go away although nobody changes anything. */
  readonly isRetried: boolean;
  /** Whether the step has not come to an end yet. */
  readonly isUnderWay?: boolean | undefined;
  readonly cause?: DiagnosticError | undefined;
}

/** The name of what may go wrong with a step. */
export function troubleKey({ kind, step, object }: OwnedStep): string {
  return kind === "apply" ? step : identityKey(identityOf(object));
}
