import { apiVersionOf } from "../../../objects/index.ts";
import { blueprintGroups } from "../../../blueprints/index.ts";
import { bundleGroup } from "../../../bundles/index.ts";
import { type Cluster } from "../../../cluster/index.ts";
import { type HistoryEntry, type Inventory, readHistory } from "../../../inventory/index.ts";
import { fieldAt } from "../../../json/index.ts";

const ownerGroups: readonly string[] = [bundleGroup, ...blueprintGroups];

/** What controllers did for the bundles and workloads of an inventory, as these say themselves. */
export async function ownerHistories(
  cluster: Cluster,
  inventory: Inventory | undefined,
): Promise<readonly HistoryEntry[]> {
  const owners = (inventory?.parts ?? [])
    .flatMap(({ entries }) => entries)
    .filter(({ group }) => ownerGroups.includes(group));
  if (owners.length === 0) return [];
  const resources = await cluster.resources();
  const histories = await Promise.all(
    owners.map(async ({ group, kind, namespace, name }) => {
      const resource = resources.preferred(group, kind);
      if (resource === undefined) return [];
      const reference = { apiVersion: apiVersionOf(resource), kind, namespace, name };
      const history = fieldAt(await cluster.find(reference), "status", "history");
      return history === undefined ? [] : readHistory(JSON.stringify(history));
    }),
  );
  return histories.flat();
}
