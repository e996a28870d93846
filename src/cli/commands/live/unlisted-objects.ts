import type { Cluster } from "../../../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../../../diagnostics/index.ts";
import { emptyInventory, type GroupReference, type Inventory } from "../../../inventory/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../../objects/index.ts";
import { ownedObjects } from "../../../observe/index.ts";

const mostNamed = 20;

/** Where an inventory has objects. */
export function namespacesOf({ reference, parts }: Inventory): ReadonlySet<string> {
  return new Set([
    reference.namespace,
    ...parts.flatMap(({ entries }) => entries.map(({ namespace }) => namespace)),
  ]);
}

/** Which of these objects an inventory does not name. */
export function unknownOf(
  found: readonly ObjectIdentity[],
  { parts }: Inventory,
): readonly ObjectIdentity[] {
  const keys = new Set(parts.flatMap(({ entries }) => entries.map(identityKey)));
  return found.filter((entry) => !keys.has(identityKey(entry)));
}

/** Warns of objects that name an inventory and are not in it: nothing would ever prune them. */
export async function unlistedObjects(
  cluster: Cluster,
  group: GroupReference,
  inventory: Inventory = emptyInventory(group),
): Promise<readonly Diagnostic[]> {
  try {
    const { found } = await ownedObjects(cluster, group.id, namespacesOf(inventory));
    const unknown = unknownOf(found, inventory).map(formatIdentity).toSorted();
    if (unknown.length === 0) return [];
    const more = unknown.length - mostNamed;
    return [
      {
        code: "live.unlisted-objects",
        severity: "warning",
        summary: `${unknown.length === 1 ? "an object names" : `${unknown.length} objects name`} the inventory ${group.id} and ${unknown.length === 1 ? "is" : "are"} not in it`,
        detail: [...unknown.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(
          "\n",
        ),
        hint: "`keelson live recover` adds them to it; the next apply keeps or prunes them",
      },
    ];
  } catch (error) {
    // What cannot be looked for does not make the rest of a status wrong.
    if (error instanceof DiagnosticError) return [];
    throw error;
  }
}
