/**
 * Runs supply chains, deliveries and runnables in a cluster: watches owners, blueprints, templates and
 * all that was stamped, and does what `blueprints/` says is to be done, each with the rights of the
 * owner's service account.
 */
import { families } from "../../blueprints/index.ts";
import type { Reconciler } from "../runtime/reconciler.ts";
import { type BlueprintOptions, BlueprintServices } from "./blueprint-services.ts";
import { ownerReconciler } from "./owner-reconciler.ts";
import { runnableReconciler } from "./runnable-reconciler.ts";
import { blueprintStatusReconciler } from "./status-reconciler.ts";

export type { BlueprintOptions } from "./blueprint-services.ts";
export { yttRunner } from "./run-ytt.ts";

/** What looks after supply chains and deliveries. */
export function blueprintReconcilers(options: BlueprintOptions = {}): readonly Reconciler[] {
  const services = new BlueprintServices(options);
  return [
    ...families.map((family) => ownerReconciler(family, services)),
    runnableReconciler(services),
    ...families.map((family) => blueprintStatusReconciler(family, services)),
  ];
}
