import { outputsOf } from "../../../prepare/index.ts";
import type { Cluster } from "../../../cluster/index.ts";
import type { GroupReference } from "../../../inventory/index.ts";
import type { JsonValue } from "../../../json/index.ts";
import { loadRecorded } from "./recorded.ts";

/** What all resources of a project have given so far, by their names. */
export async function stageOutputs(
  cluster: Cluster,
  group: GroupReference,
): Promise<ReadonlyMap<string, JsonValue>> {
  const outputs = new Map<string, JsonValue>();
  for (const { name, object } of (await loadRecorded(cluster, group)).values()) {
    const found = await outputsOf(cluster, object);
    if (found !== undefined) outputs.set(name, found);
  }
  return outputs;
}
