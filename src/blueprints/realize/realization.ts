import type { HealthContext } from "../stamping/health-of.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject, ObjectScope, ObjectIdentity } from "../../objects/index.ts";
import type { DependencyState, OwnedStep } from "../../plan/index.ts";
import type { Blueprint } from "../model/blueprint.ts";
import type { Accepted } from "../stamping/is-settled.ts";

/** What is to be done for an owner, and why it is as it is. Data: nothing was done yet. */
export interface Realization {
  readonly actions: readonly Action[];
  /** The status that the owner shall have when nothing is left to do. */
  readonly status: JsonObject;
  /** The blueprint that serves it. */
  readonly blueprint: Blueprint | undefined;
  readonly account: ServiceAccount | undefined;
}

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

export type Action =
  | Exclude<OwnedStep, { kind: "delete" }>
  | (Extract<OwnedStep, { kind: "delete" }> & { readonly reason: DeleteReason })
  /** Run ytt, and ask again with what it gave. */
  | {
      readonly kind: "render";
      readonly step: string;
      readonly key: string;
      readonly text: string;
      readonly context: JsonObject;
    };

export type DeleteReason =
  | "step-removed"
  | "no-longer-stamped"
  | "passed-through"
  | "no-blueprint"
  | "retention";

/** What ytt gave; where it refused the template, what it printed. */
export type Rendered =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "problem"; readonly message: string; readonly printed?: string | undefined };

/** What is known of the world around an owner. */
export interface World extends HealthContext {
  /** Objects that were stamped for this owner, as they are. */
  readonly live: readonly KubernetesObject[];
  /** The server's answers to our writes, by uid. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  /** What the server said no to in this run, by step. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly rendered: ReadonlyMap<string, Rendered>;
  /** What stands against handing on what a Secret holds; undefined when the owner's account may get it. */
  readonly unreadable?:
    | ((object: {
        readonly apiVersion: string;
        readonly kind: string;
        readonly name: string;
      }) => { readonly kind: "refused" | "waiting"; readonly message: string } | undefined)
    | undefined;
  /** How an object is that was not stamped for this owner; undefined when it was not looked at yet. */
  readonly outside: (identity: ObjectIdentity) => DependencyState | undefined;
  readonly scopeOf: (apiVersion: string, kind: string) => ObjectScope | undefined;
  /** As RBAC names a kind: `deployments.apps`. */
  readonly resourceOf: (apiVersion: string, kind: string) => string | undefined;
}
