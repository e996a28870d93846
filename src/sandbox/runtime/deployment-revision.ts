import type { KubernetesObject } from "../../objects/index.ts";
import { controllerReference } from "./adopt.ts";
import {
  type Deployment,
  type ReplicaSet,
  desiredAnnotation,
  hashLabel,
  revisionHistoryAnnotation,
  maxAnnotation,
  maxSurge,
  revisionAnnotation,
  revisionOf,
  wantedReplicas,
} from "./deployment-types.ts";
import type { PodTemplate } from "./pod-types.ts";
import { type Runtime, replicaSets } from "./runtime.ts";
import { stableText, templateHash } from "./template-hash.ts";

const ownAnnotations = [
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
];

/** The oldest set of a deployment whose pods are as it wants them now. */
export function findNewSet(
  { spec }: Deployment,
  sets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const wanted = templateText(spec.template);
  const same = sets.filter((set) => templateText(set.spec.template) === wanted);
  return byAge(same)[0];
}

export function byAge(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const key = ({ metadata }: ReplicaSet): string =>
    `${metadata.creationTimestamp ?? ""}/${metadata.name ?? ""}`;
  return [...sets].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** Stored objects never change, so the text of a template is made once. */
const templateTexts = new WeakMap<PodTemplate, string>();

function templateText(template: PodTemplate): string {
  let text = templateTexts.get(template);
  if (text === undefined) {
    text = stableText(withoutHash(template));
    templateTexts.set(template, text);
  }
  return text;
}

function withoutHash({ metadata, spec }: PodTemplate): unknown {
  const { creationTimestamp: _time, labels, ...rest } = metadata ?? {};
  const { [hashLabel]: _hash, ...others } = labels ?? {};
  return { metadata: { ...rest, labels: others }, spec };
}

/** Gives the set of the current template its revision and the annotations of its deployment. */
export function syncRevision(
  runtime: Runtime,
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): ReplicaSet {
  const revision = Math.max(0, ...oldSets.map(revisionOf)) + 1;
  const annotations = setAnnotations(deployment, newSet, Math.max(revision, revisionOf(newSet)));
  const { namespace = "", name = "" } = newSet.metadata;
  const { minReadySeconds = 0 } = deployment.spec;
  const isSame =
    stableText(annotations) === stableText(newSet.metadata.annotations ?? {}) &&
    (newSet.spec.minReadySeconds ?? 0) === minReadySeconds;
  const updated = isSame
    ? newSet
    : ((runtime.client.update(replicaSets, namespace, name, (live) => ({
        ...live,
        metadata: { ...live.metadata, annotations },
        spec: withMinReady((live as ReplicaSet).spec, minReadySeconds),
      })) as ReplicaSet | undefined) ?? newSet);
  return updated;
}

function withMinReady(spec: ReplicaSet["spec"], minReadySeconds: number): object {
  const { minReadySeconds: _before, ...rest } = spec;
  return minReadySeconds === 0 ? rest : { ...rest, minReadySeconds };
}

function setAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.includes(key),
  );
  const before = set?.metadata.annotations ?? {};
  const replicas = wantedReplicas(deployment);
  const earlier = revisionOf(set ?? { kind: "", apiVersion: "", metadata: {} });
  const history = before[revisionHistoryAnnotation] ?? "";
  const isReturning = earlier > 0 && earlier !== revision;
  return {
    ...before,
    ...Object.fromEntries(inherited),
    [revisionAnnotation]: String(revision),
    ...(isReturning
      ? { [revisionHistoryAnnotation]: history === "" ? String(earlier) : `${history},${earlier}` }
      : {}),
    ...(set === undefined
      ? {
          [desiredAnnotation]: String(replicas),
          [maxAnnotation]: String(replicas + maxSurge(deployment)),
        }
      : {}),
  };
}

export type CreatedSet =
  | { readonly kind: "created"; readonly set: ReplicaSet }
  | { readonly kind: "refused"; readonly message: string };

/** Makes the set of the current template. */
export function createNewSet(
  runtime: Runtime,
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
  replicas: number,
): CreatedSet {
  const { spec, status } = deployment;
  const { namespace = "", name = "" } = deployment.metadata;
  const hash = templateHash(templateText(spec.template), status?.collisionCount ?? 0);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const revision = Math.max(0, ...oldSets.map(revisionOf)) + 1;
  const set: KubernetesObject = {
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: setAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...((spec.minReadySeconds ?? 0) > 0 ? { minReadySeconds: spec.minReadySeconds } : {}),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector?.matchLabels, [hashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  const result = runtime.client.tryCreate(replicaSets, set);
  if ("refused" in result) return { kind: "refused", message: result.refused.status.message ?? "" };
  return { kind: "created", set: result.object as ReplicaSet };
}
