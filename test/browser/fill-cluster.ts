import type { Cluster } from "../../src/cluster/index.ts";
import {
  ensureGroupDefinition,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
  owningInventoryAnnotation,
} from "../../src/inventory/index.ts";
import { identityOf, type KubernetesObject } from "../../src/objects/index.ts";

/** Makes an inventory of objects, as a run would have left it. */
export async function fillInventory(
  cluster: Cluster,
  name: string,
  objects: readonly KubernetesObject[],
): Promise<void> {
  await ensureGroupDefinition(cluster);
  for (const object of objects) {
    const annotations = { ...object.metadata.annotations, [owningInventoryAnnotation]: name };
    await cluster.create({ ...object, metadata: { ...object.metadata, annotations } });
  }
  await cluster.create({
    apiVersion: groupApiVersion,
    kind: groupKind,
    metadata: { name, namespace: "shop", labels: { [inventoryIdLabel]: name } },
    spec: { resources: objects.map((object) => ({ ...identityOf(object) })) },
  });
}

export function cronJobs(count: number): readonly KubernetesObject[] {
  return Array.from({ length: count }, (_, number) => ({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: `job-${String(number).padStart(4, "0")}`, namespace: "shop" },
    spec: {
      schedule: "0 0 1 1 *",
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "app", image: "shop/job:1" }] },
          },
        },
      },
    },
  }));
}
