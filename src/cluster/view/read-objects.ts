import { identityKey, type ObjectIdentity } from "../../objects/index.ts";
import type { ObjectKind } from "../api/api-resource.ts";
import { isApiError } from "../api/api-error.ts";
import type { ListOptions } from "../api/list.ts";
import type { Cluster } from "../cluster.ts";
import type { KindViewOptions } from "./kind-view.ts";
import type { ObjectCopy } from "./object-copy.ts";

/** Which objects to read. */
export interface ReadQuery extends Pick<
  ListOptions,
  "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly" | "signal"
> {
  readonly kind: ObjectKind;
}

/** Which objects were looked for, and why that are not all. */
export interface ObjectsRead {
  readonly read: ReadonlySet<string> | "all";
  readonly problem?: unknown;
}

/** Where the objects go that were read. */
export type ReadTarget = Pick<ObjectCopy, "replace" | "put" | "remove">;

/** More objects than this are listed with all others, as long as that is allowed. */
const mostSingleReads = 20;

/**
 * Reads objects into a copy: those that users name, but all as soon as one of them names none, or many.
 * Where lists are forbidden, too, only what is named is read.
 */
export async function readWanted(
  source: Pick<Cluster, "list" | "find">,
  { kind, ...query }: ReadQuery,
  wanted: readonly KindViewOptions["wanted"][],
  copy: ReadTarget,
): Promise<ObjectsRead> {
  let problem: unknown;
  const named = new Map(
    wanted.flatMap((each) => [...(each?.() ?? [])].map((one) => [identityKey(one), one] as const)),
  );
  if (wanted.includes(undefined) || named.size > mostSingleReads) {
    try {
      const { items } = await source.list(kind, query);
      copy.replace(items);
      return { read: "all" };
    } catch (error) {
      problem = error;
      if (!isForbidden(error)) return { read: new Set(), problem };
    }
  }
  const read = new Set<string>();
  const readOne = async (identity: ObjectIdentity): Promise<void> => {
    const { namespace, name } = identity;
    try {
      const object = await source.find({ ...kind, namespace, name }, { signal: query.signal });
      if (object === undefined) copy.remove(identity);
      else copy.put(object);
      read.add(identityKey(identity));
    } catch {
      // Nobody knows: the next round tries again.
    }
  };
  await Promise.all([...named.values()].map(readOne));
  return { read, problem };
}

/** Whether a verb is not allowed, or not possible. */
export function isForbidden(error: unknown): boolean {
  return isApiError(error, "Forbidden", "MethodNotAllowed");
}
