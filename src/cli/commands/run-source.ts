import type { GroupRun } from "../../apply/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import {
  apply,
  type ApplyOptions,
  desire,
  type LoadedPackage,
  plan,
  type PlannedChange,
} from "../../engine/index.ts";
import type { InventoryPolicy } from "../../inventory/index.ts";
import type { PruneScope } from "../../prepare/index.ts";
import type { ClusterReads } from "../../observe/index.ts";
import { hasRefusals, type OrderedComponent, type Plan } from "../../plan/index.ts";
import type { CliContext } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { hostOf } from "../host-of.ts";
import { type OutputFormat, reportFormat } from "../output-flag.ts";
import { report } from "../report.ts";
import type { RunOutput } from "./live/flags.ts";
import { leaseHolder, type LiveRun } from "./live/live-run.ts";

export interface PlanSourceFlags {
  readonly inventoryPolicy: InventoryPolicy;
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly validation?: "fail" | "skip";
  readonly output: OutputFormat;
}

/** A plan of a source, as commands and the page show it. */
export interface PlannedSource {
  readonly plan: Plan;
  readonly planned: readonly PlannedChange[];
  readonly components: readonly OrderedComponent[];
}

/** What an apply of a source would do; nothing is written. */
export async function planSource(
  context: CliContext,
  flags: PlanSourceFlags,
  opened: {
    readonly cluster: Cluster;
    readonly namespace: string;
    readonly reads?: ClusterReads | undefined;
  },
  loaded: LoadedPackage,
  warn = (warnings: readonly Diagnostic[]): void => {
    report(context, warnings, flags.output);
  },
): Promise<PlannedSource> {
  const desired = await desire(hostOf(context), opened, loaded);
  warn(desired.warnings);
  try {
    const planned = await plan(desired, {
      policy: flags.inventoryPolicy,
      manager: flags.fieldManager,
      forceConflicts: flags.forceConflicts,
      validation: flags.validation,
      prune: pruneScope(loaded),
      onEvent: (event) => {
        if (event.type !== "warning" && event.type !== "validation") return;
        const { code, severity, summary, detail, hint, subject, source: at } = event;
        const source = at && { file: at.file, start: { line: at.line, column: at.column } };
        warn([{ code, severity, summary, detail, hint, subject, source }]);
      },
    });
    const { components } = desired;
    return { plan: planned.plan, planned: await planned.changes(), components };
  } finally {
    await desired.close();
  }
}

/** How a command ends that only shows a plan: as the apply would, as far as that is known. */
export function planCode({ plan: made, planned }: PlannedSource): ExitCode {
  if (planned.some(({ refusal }) => refusal !== undefined)) return exitCode.failed;
  return hasRefusals(made) ? exitCode.refused : exitCode.success;
}

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
  readonly pruneDespiteFailures: boolean;
  readonly statusPolicy: "all" | "none";
  readonly forgetKind?: readonly string[];
  readonly dryRun: boolean;
  readonly acceptReplacements?: boolean;
  readonly output: RunOutput;
}

/** What a later stage of a program asks for, or what cannot be read, is not known. */
function pruneScope({ isPartial }: LoadedPackage): PruneScope {
  return { kind: isPartial === true ? "none" : "all" };
}

/** Applies a source as one inventory. */
export async function applySource(
  context: CliContext,
  flags: ApplySourceFlags,
  { cluster, namespace, view, signal, reads }: LiveRun,
  loaded: LoadedPackage,
  acceptPlan?: ApplyOptions["acceptPlan"],
): Promise<GroupRun> {
  const building = flags.dryRun ? undefined : { emit: view.emit, signal };
  const opened = { cluster, namespace, reads };
  const desired = await desire(hostOf(context), opened, loaded, building);
  report(context, desired.warnings, reportFormat(flags.output));
  const options: ApplyOptions = {
    policy: flags.inventoryPolicy,
    manager: flags.fieldManager,
    forceConflicts: flags.forceConflicts,
    validation: flags.validation,
    prune: pruneScope(loaded),
    recordsStatus: flags.statusPolicy === "all",
    forgetKinds: flags.forgetKind,
    reconcileTimeoutMs: flags.reconcileTimeout,
    pruneTimeoutMs: flags.pruneTimeout,
    propagationPolicy: flags.prunePropagationPolicy,
    waits: flags.wait,
    waitsForJobs: flags.waitForJobs,
    prunesDespiteFailures: flags.pruneDespiteFailures,
    holder: leaseHolder(),
    acceptReplacements: flags.acceptReplacements,
    acceptPlan,
    onEvent: view.emit,
    signal,
  };
  try {
    return await (flags.dryRun ? plan(desired, options) : apply(desired, options).result);
  } finally {
    await desired.close();
  }
}
