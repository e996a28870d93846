import { applyGroup, type GroupRun } from "../../apply/index.ts";
import type { GroupReference, InventoryPolicy } from "../../inventory/index.ts";
import type { Plan } from "../../plan/index.ts";
import type { CliContext } from "../context.ts";
import { report } from "../report.ts";
import { desiredState } from "../source/desired-state.ts";
import type { Source } from "../source/read-source.ts";
import { leaseHolder, type LiveRun } from "./live/live-run.ts";

export interface ApplySourceFlags {
  readonly inventoryPolicy: InventoryPolicy;
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly validation: "fail" | "skip";
  readonly reconcileTimeout: number;
  readonly pruneTimeout: number;
  readonly prunePropagationPolicy: "Background" | "Foreground" | "Orphan";
  readonly wait: boolean;
  readonly waitForJobs: boolean;
  readonly dryRun: boolean;
  readonly output: "events" | "json" | "table";
}

/** Applies what a source wishes for as one inventory. */
export async function applySource(
  context: CliContext,
  flags: ApplySourceFlags,
  { cluster, namespace, view, signal, ahead }: LiveRun,
  {
    group,
    source,
    isPartial = false,
  }: { readonly group: GroupReference; readonly source: Source; readonly isPartial?: boolean },
  acceptPlan?: (plan: Plan) => Promise<void>,
): Promise<GroupRun> {
  const building = flags.dryRun ? undefined : { emit: view.emit, signal };
  const { objects, components, invalid, warnings, buildFor, program, close } = await desiredState(
    context,
    cluster,
    source,
    namespace,
    group,
    { building, ahead },
  );
  report(context, warnings, flags.output === "json" ? "json" : "text");
  try {
    return await applyGroup({
      cluster,
      group,
      desired: objects,
      invalid,
      components,
      program,
      prunes: !isPartial,
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      validation: flags.validation,
      reconcileTimeoutMs: flags.reconcileTimeout,
      pruneTimeoutMs: flags.pruneTimeout,
      propagationPolicy: flags.prunePropagationPolicy,
      waits: flags.wait,
      waitsForJobs: flags.waitForJobs,
      dryRun: flags.dryRun,
      holder: leaseHolder(),
      leaseWaitMs: flags.reconcileTimeout,
      emit: view.emit,
      signal,
      ahead,
      acceptPlan: async (plan) => {
        await acceptPlan?.(plan);
        await buildFor?.(plan);
      },
    });
  } finally {
    await close?.();
  }
}
