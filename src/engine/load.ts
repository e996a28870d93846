import type { Cluster } from "../cluster/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import { type ClusterReads, readOnce } from "../observe/index.ts";
import type { Desired } from "./desired/desired.ts";
import { desiredState } from "./desired/desired-state.ts";
import type { BuildingOptions } from "./desired/source-images.ts";
import type { EngineHost } from "./host.ts";
import { findGroup, type InventoryChoice } from "./source/find-group.ts";
import { isDeployed } from "./source/is-deployed.ts";
import { readSource, type Source } from "./source/read-source.ts";
import { requireValid } from "./source/require-valid.ts";
import { thisMachine } from "./this-machine.ts";

/** The desired state of one inventory, and where it belongs. It must be closed. */
export type Loaded = Desired & {
  readonly cluster: Cluster;
  readonly group: GroupReference;
  /** What a plan reads through: the first one reads nothing again of what loading has read, later ones everything. */
  readonly takeReads: () => ClusterReads;
};

export interface LoadOptions {
  readonly cluster: Cluster;
  /** The namespace of objects that name none; that of the cluster's context unless given. */
  readonly namespace?: string | undefined;
  /** The inventory that is to own the objects; the one that the input or its project names unless given. */
  readonly inventory?: InventoryChoice | undefined;
  /** The environment of a program. */
  readonly env?: string | undefined;
  /** Settings for a Tiltfile. */
  readonly args?: readonly string[] | undefined;
  /** Builds the images of a Tiltfile; without it they are only named. */
  readonly building?: BuildingOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly host?: Partial<EngineHost> | undefined;
}

/**
 * Reads an input into desired state: a file or directory of YAML, `-`, a Tiltfile, a program, a bundle.
 *
 * ```ts
 * const desired = await load("deploy/", { cluster, inventory: { name: "shop" } });
 * ```
 */
export async function load(input: string, options: LoadOptions): Promise<Loaded> {
  const { cluster, namespace = cluster.namespace, signal, env, args, building } = options;
  const host: EngineHost = { ...thisMachine(), ...options.host };
  const reads = readOnce(cluster, signal);
  const read = await readSource(host, [input], { namespace, env, args, signal, reads });
  await requireValid(read);
  const group = await findGroup(host, input, read, { ...options, namespace });
  const source: Source = { ...read, objects: read.objects.filter(isDeployed) };
  return desire(host, { cluster, namespace, reads }, { group, source }, building);
}

/** What a source that was read asks for in one cluster. */
export async function desire(
  host: EngineHost,
  {
    cluster,
    namespace,
    reads,
  }: {
    readonly cluster: Cluster;
    readonly namespace: string;
    readonly reads?: ClusterReads | undefined;
  },
  { group, source }: { readonly group: GroupReference; readonly source: Source },
  building?: BuildingOptions,
): Promise<Loaded> {
  const desired = await desiredState(host, cluster, source, namespace, group, { building, reads });
  let read = reads;
  const takeReads = (): ClusterReads => {
    const taken = read ?? readOnce(cluster);
    read = undefined;
    return taken;
  };
  return { ...desired, cluster, group, takeReads };
}
