import { isRestartable, restartWorkload } from "../../apply/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import type {
  ComponentAction,
  DashboardActions,
  InventoryView,
  ActionOptions,
  WorldComponent,
} from "../../dashboard/index.ts";
import { destroy, type DestroyOptions } from "../../engine/index.ts";
import type { ProviderHost } from "../../providers/index.ts";
import { leaseHolder } from "../commands/live/live-run.ts";
import type { CliContext } from "../context.ts";
import { RunProgress } from "./run-progress.ts";

export interface ClusterActionsOptions {
  readonly cluster: Cluster;
  /** Gives the providers of what is outside of Kubernetes for a while, where they are known. */
  readonly withProviders: <Result>(
    run: (providers: ProviderHost | undefined) => Promise<Result>,
  ) => Promise<Result>;
}

const timeoutMs = 10 * 60_000;

/** What can be done with anything that is in a cluster, whoever applied it. */
export class ClusterActions implements DashboardActions {
  readonly #context: CliContext;
  readonly #options: ClusterActionsOptions;

  constructor(context: CliContext, options: ClusterActionsOptions) {
    this.#context = context;
    this.#options = options;
  }

  readonly offersFor = ({
    workload,
    objects,
    inventory,
  }: WorldComponent): readonly ComponentAction[] => [
    ...(isThere(workload) && isRestartable(workload) ? ["restart" as const] : []),
    ...(inventory.id !== "" && objects.some(({ object }) => isThere(object))
      ? ["delete" as const]
      : []),
  ];

  readonly canDestroy = (): boolean => true;

  readonly perform: DashboardActions["perform"] = async (task, options) => {
    switch (task.kind) {
      case "restart":
        return this.restart(task.component, options);
      case "delete": {
        const { name, inventory, objects } = task.component;
        const keys = new Set(objects.map(({ key }) => key));
        return this.#destroy(inventory, name, options, (key) => keys.has(key));
      }
      case "destroy":
        return this.#destroy(task.inventory, task.inventory.name, options);
      case "trigger":
      case "disable":
      case "enable":
        throw new Error(`${task.kind} was not offered`);
    }
  };

  async restart({ name, workload }: WorldComponent, options: ActionOptions): Promise<string> {
    if (workload === undefined) throw new Error(`${name} has no workload`);
    const { report, signal } = options;
    const { emit } = new RunProgress(this.#context, report);
    const { cluster } = this.#options;
    const now = new Date();
    report(`${workload.kind} ${workload.metadata.name ?? ""} replaces its pods`);
    await restartWorkload({ cluster, workload, now, timeoutMs, emit, signal });
    return `${name} was restarted`;
  }

  #destroy(
    { name, namespace, id }: InventoryView,
    subject: string,
    { report, signal }: ActionOptions,
    only?: DestroyOptions["only"],
  ): Promise<string> {
    const progress = new RunProgress(this.#context, report);
    return this.#options.withProviders(async (providers) => {
      await destroy(
        {
          cluster: this.#options.cluster,
          group: { name, namespace, id, source: "the cluster" },
        },
        {
          providers,
          only,
          deleteTimeoutMs: timeoutMs,
          holder: leaseHolder(),
          onEvent: progress.emit,
          signal,
        },
      ).result;
      return progress.end(subject);
    });
  }
}

function isThere<Found extends { readonly metadata: { readonly uid?: string | undefined } }>(
  object: Found | undefined,
): object is Found {
  return object?.metadata.uid !== undefined;
}
