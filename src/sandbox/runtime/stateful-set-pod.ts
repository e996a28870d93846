import type { KubernetesObject, OwnerReference } from "../../objects/index.ts";
import { controllerReference } from "./adopt.ts";
import { type Revision, templateOf } from "./controller-revisions.ts";
import { createPod } from "./create-pod.ts";
import type { EventWriter } from "./event-writer.ts";
import type { PodSpec } from "./pod-types.ts";
import { type Runtime, claims } from "./runtime.ts";
import { type StatefulSet, claimName, revisionLabel } from "./stateful-set-types.ts";

/** Creates the pod of one ordinal with the claims it needs; false when it was refused. */
export function createStatefulPod(
  runtime: Runtime,
  events: EventWriter,
  set: StatefulSet,
  ordinal: number,
  revision: Revision,
): boolean {
  const { name: setName = "" } = set.metadata;
  const name = `${setName}-${ordinal}`;
  createClaims(runtime, events, set, name, ordinal);
  const template = templateOf(revision);
  const claimed = (set.spec.volumeClaimTemplates ?? []).map((each) => ({
    name: each.metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(each, name) },
  }));
  const taken = new Set(claimed.map((volume) => volume.name));
  const volumes = [
    ...(template.spec?.volumes ?? []).filter((volume) => !taken.has(volume.name)),
    ...claimed,
  ];
  const spec: PodSpec = {
    containers: [],
    ...template.spec,
    hostname: name,
    ...(set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
  const result = createPod(runtime, {
    owner: set,
    template,
    name,
    spec,
    labels: {
      "statefulset.kubernetes.io/pod-name": name,
      "apps.kubernetes.io/pod-index": String(ordinal),
      [revisionLabel]: revision.metadata.name ?? "",
    },
  });
  if ("refused" in result) {
    const { message = "" } = result.refused.status;
    events.record(set, {
      type: "Warning",
      reason: "FailedCreate",
      message: `Create Pod ${name} in StatefulSet ${setName} failed error: ${message}`,
    });
    return false;
  }
  events.record(set, {
    reason: "SuccessfulCreate",
    message: `Create Pod ${name} in StatefulSet ${setName} successful`,
  });
  return true;
}

function createClaims(
  { client }: Runtime,
  events: EventWriter,
  set: StatefulSet,
  podName: string,
  ordinal: number,
): void {
  const { namespace = "", name: setName = "" } = set.metadata;
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const name = claimName(template, podName);
    if (client.get(claims, namespace, name) !== undefined) continue;
    const owners = claimOwners(set);
    client.create(claims, {
      kind: "PersistentVolumeClaim",
      apiVersion: "v1",
      metadata: {
        ...template.metadata,
        name,
        namespace,
        labels: {
          ...template.metadata.labels,
          ...set.spec.selector?.matchLabels,
          "apps.kubernetes.io/pod-index": String(ordinal),
        },
        ...(owners.length === 0 ? {} : { ownerReferences: owners }),
      },
      spec: template["spec"],
    });
    events.record(set, {
      reason: "SuccessfulCreate",
      message: `Create Claim ${name} Pod ${podName} in StatefulSet ${setName} success`,
    });
  }
}

/** Claims that are to go with their set belong to it. */
export function claimOwners(set: StatefulSet): readonly OwnerReference[] {
  const isDeleted = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === "Delete";
  if (!isDeleted) return [];
  const { blockOwnerDeletion: _block, ...owner } = controllerReference(set);
  return [owner];
}

/** Claims that are to go when their pod is scaled away belong to that pod. */
export function condemnClaims({ client }: Runtime, set: StatefulSet, pod: KubernetesObject): void {
  if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== "Delete") return;
  const { namespace = "", name: podName = "", uid = "" } = pod.metadata;
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const name = claimName(template, podName);
    const live = client.get(claims, namespace, name);
    if (live?.metadata.ownerReferences?.some((owner) => owner.uid === uid) !== false) continue;
    client.update(claims, namespace, name, (claim) => ({
      ...claim,
      metadata: {
        ...claim.metadata,
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: podName, uid, controller: true }],
      },
    }));
  }
}
