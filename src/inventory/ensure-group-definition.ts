import { type Cluster, referenceTo } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { readinessOf } from "../readiness/index.ts";
import { fieldManager } from "./group-names.ts";
import {
  definitionVersion,
  definitionVersionAnnotation,
  groupDefinition,
} from "./group-definition.ts";

/** Makes the kind ResourceGroup known to the cluster: written only when it is absent or older. */
export async function ensureGroupDefinition(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  const found = await cluster.find(
    referenceTo(groupDefinition),
    signal === undefined ? {} : { signal },
  );
  if (found !== undefined && !isOlder(found)) return;
  await cluster.apply(groupDefinition, { fieldManager, force: true });
  const { name = "" } = groupDefinition.metadata;
  const options = {
    fieldSelector: `metadata.name=${name}`,
    ...(signal === undefined ? {} : { signal }),
  };
  for await (const event of cluster.watch(groupDefinition, options)) {
    const objects =
      event.kind === "snapshot" ? event.objects : "object" in event ? [event.object] : [];
    if (objects.some((object) => object.metadata.name === name && isEstablished(object))) break;
  }
  await cluster.refreshResources();
}

/** A definition that somebody else wrote is left alone: it has no number of ours. */
function isOlder({ metadata }: KubernetesObject): boolean {
  const version = metadata.annotations?.[definitionVersionAnnotation];
  return version !== undefined && Number(version) < definitionVersion;
}

function isEstablished(object: KubernetesObject): boolean {
  return readinessOf(object, { now: 0 }).status === "Current";
}
