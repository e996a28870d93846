import type { KubernetesObject } from "../../../objects/index.ts";
import type { Strategy } from "../strategy.ts";

interface JobSpec {
  readonly manualSelector?: boolean;
  readonly template?: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  };
}

/** A job selects its pods by its own uid, which is known only now. */
export const jobStrategy: Partial<Strategy> = {
  generation: true,
  initialStatus: "drop",
  returnsDeletedObject: true,
  orphansByDefault:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  prepareCreate: withSelector,
};

function withSelector(job: KubernetesObject): KubernetesObject {
  const spec = (job["spec"] ?? {}) as JobSpec;
  if (spec.manualSelector === true) return job;
  const { uid = "", name = "" } = job.metadata;
  const labels = {
    "controller-uid": uid,
    "job-name": name,
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
  };
  const { metadata } = spec.template ?? {};
  // A job without labels of its own takes those of its template, by defaulting.
  const hasOwnLabels =
    job.metadata.labels !== undefined && job.metadata.labels !== metadata?.labels;
  return {
    ...job,
    metadata: {
      ...job.metadata,
      labels: hasOwnLabels ? job.metadata.labels : { ...metadata?.labels, ...labels },
    },
    spec: {
      ...spec,
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uid } },
      template: {
        ...spec.template,
        metadata: { ...metadata, labels: { ...metadata?.labels, ...labels } },
      },
    },
  };
}
