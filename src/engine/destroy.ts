import { destroyGroup, type GroupRun } from "../apply/index.ts";
import type { ProgramRun } from "../prepare/index.ts";
import type { Cluster } from "../cluster/index.ts";
import type { RunEvent } from "../events/index.ts";
import type { GroupReference, InventoryPolicy } from "../inventory/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import { withoutUndefined } from "./plan.ts";
import { type Run, startRun } from "./run.ts";

export interface DestroyOptions {
  readonly policy?: InventoryPolicy | undefined;
  /** What deletes what a program had made outside of Kubernetes. */
  readonly providers?: ProviderHost | undefined;
  /** Tells by identity key what goes; the rest and the inventory stay. Everything goes unless given. */
  readonly only?: ((key: string) => boolean) | undefined;
  /** Kinds, as `Kind.group`, whose objects are forgotten where the cluster does not serve them. */
  readonly forgetKinds?: readonly string[] | undefined;
  readonly deleteTimeoutMs?: number | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Whether it is only said what would go. */
  readonly dryRun?: boolean | undefined;
  /** Whether a ResourceGroup that stays says in its status how each object is; so unless given. */
  readonly recordsStatus?: boolean | undefined;
  readonly holder?: string | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const destroyDefaults = {
  policy: "strict",
  deleteTimeoutMs: 300_000,
  propagationPolicy: "Background",
  dryRun: false,
  holder: "keelson",
} as const;

/** Deletes what an inventory owns, dependents first, and with the last of it the inventory itself. */
export function destroy(
  { cluster, group }: { readonly cluster: Cluster; readonly group: GroupReference },
  options: DestroyOptions = {},
): Run<GroupRun> {
  const { providers, only, onEvent, signal = new AbortController().signal, ...rest } = options;
  const given = { ...destroyDefaults, ...withoutUndefined(rest) };
  return startRun(
    (emit) =>
      destroyGroup({
        ...given,
        cluster,
        group,
        only,
        program: providers && leaving(providers),
        manager: "keelson",
        command: "destroy",
        leaseWaitMs: given.deleteTimeoutMs,
        emit,
        signal,
      }),
    onEvent,
  );
}

/** A program that asks for nothing any more; its providers delete what it had made. */
function leaving(providers: ProviderHost): ProgramRun {
  const desired: ProgramRun["desired"] = {
    objects: [],
    byKey: new Map(),
    resources: new Map(),
    keyOf: new Map(),
    edges: [],
    barriers: new Map(),
  };
  return {
    desired,
    desiredAs: () => desired,
    providers,
    resolve: () => Promise.reject(new Error("nothing is left to be computed")),
  };
}
