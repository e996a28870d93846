import { randomUUID } from "node:crypto";
import type { DashboardPlans, ActionOptions } from "../../dashboard/index.ts";
import { type Diagnostic, fail } from "../../diagnostics/index.ts";
import { type ClusterReads, readOnce } from "../../observe/index.ts";
import {
  keepPlan,
  type KeptPlan,
  loadProject,
  type Project,
  requireSamePlan,
} from "../../engine/index.ts";
import { applySource, planSource } from "../commands/run-source.ts";
import type { CliContext } from "../context.ts";
import type { OpenedCluster } from "../open-cluster.ts";
import { planViewOf } from "./plan-view-of.ts";
import { RunProgress } from "./run-progress.ts";
import { hostOf } from "../host-of.ts";

export interface SourceToPlan {
  readonly input: string;
  readonly project: Project;
  readonly opened: Pick<OpenedCluster, "cluster" | "namespace" | "context">;
  /** Settings for a Tiltfile. */
  readonly args?: readonly string[];
}

const mostKept = 10;
const timeoutMs = 10 * 60_000;

const planFlags = {
  inventoryPolicy: "strict",
  fieldManager: "keelson",
  forceConflicts: false,
  output: "text",
} as const;

const applyFlags = {
  ...planFlags,
  validation: "fail",
  statusPolicy: "all",
  reconcileTimeout: timeoutMs,
  pruneTimeout: timeoutMs,
  prunePropagationPolicy: "Background",
  wait: true,
  waitForJobs: false,
  pruneDespiteFailures: false,
  dryRun: false,
  // Whoever applies it has looked at the plan.
  acceptReplacements: true,
  output: "events",
} as const;

/** Plans of a source, as `keelson plan` makes them, and their apply, exactly or not at all. */
export class SourcePlans implements DashboardPlans {
  readonly #context: CliContext;
  readonly #source: SourceToPlan;
  readonly #kept = new Map<string, KeptPlan>();

  constructor(context: CliContext, source: SourceToPlan) {
    this.#context = context;
    this.#source = source;
  }

  readonly make: DashboardPlans["make"] = async () => {
    const { cluster, namespace } = this.#source.opened;
    const warnings: Diagnostic[] = [];
    const reads = readOnce(cluster);
    const loaded = await this.#load(reads);
    const { plan, planned, components } = await planSource(
      this.#context,
      planFlags,
      { cluster, namespace, reads },
      loaded,
      (found) => {
        warnings.push(...found);
      },
    );
    const id = randomUUID();
    this.#keep(id, keepPlan(plan, loaded.group));
    const { group } = loaded;
    return planViewOf({ id, group, planned, components, warnings, made: new Date() });
  };

  readonly apply = async (id: string, { report, signal }: ActionOptions): Promise<string> => {
    const saved = this.#kept.get(id);
    if (saved === undefined)
      fail({
        code: "dashboard.unknown-plan",
        summary: "this plan is no longer known; nothing was written",
        hint: "make a new plan, and look at it",
      });
    const progress = new RunProgress(this.#context, report);
    const reads = readOnce(this.#source.opened.cluster, signal);
    const loaded = await this.#load(reads);
    const { cluster, namespace, context } = this.#source.opened;
    const view = {
      emit: progress.emit,
      show: () => undefined,
      close: () => undefined,
      context: this.#context,
    };
    await applySource(
      this.#context,
      applyFlags,
      { cluster, namespace, context, view, signal, reads },
      loaded,
      async (plan) => {
        requireSamePlan(saved, plan, loaded.group);
        // It is carried out once; whoever wants more looks at a new one.
        this.#kept.delete(id);
        await Promise.resolve();
      },
    );
    return progress.end(loaded.group.name);
  };

  #load(reads: ClusterReads): ReturnType<typeof loadProject> {
    const { input, project, opened, args = [] } = this.#source;
    const { namespace, context } = opened;
    return loadProject(hostOf(this.#context), input, project, { namespace, context, reads, args });
  }

  #keep(id: string, plan: KeptPlan): void {
    this.#kept.set(id, plan);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
