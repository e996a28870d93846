import { createPod } from "./create-pod.ts";
import type { EventWriter } from "./event-writer.ts";
import { type Job, indexAnnotation, isIndexed, trackingFinalizer } from "./job-types.ts";
import type { Container, PodSpec } from "./pod-types.ts";
import type { Runtime } from "./runtime.ts";

/** Creates a pod of a job, for one of its indexes if it has those; false when it was refused. */
export function createJobPod(
  runtime: Runtime,
  events: EventWriter,
  job: Job,
  index: number,
): boolean {
  const { name = "" } = job.metadata;
  const { template } = job.spec;
  const indexed = isIndexed(job)
    ? {
        generateName: `${name}-${index}-`,
        labels: { [indexAnnotation]: String(index) },
        annotations: { [indexAnnotation]: String(index) },
        spec: indexedSpec({ containers: [], ...template.spec }, `${name}-${index}`),
      }
    : {};
  const result = createPod(runtime, {
    owner: job,
    template,
    finalizers: [trackingFinalizer],
    ...indexed,
  });
  if ("refused" in result) {
    const { message = "" } = result.refused.status;
    const note = { reason: "FailedCreate", message: `Error creating: ${message}` };
    events.record(job, { type: "Warning", ...note });
    return false;
  }
  events.record(job, {
    reason: "SuccessfulCreate",
    message: `Created pod: ${result.object.metadata.name ?? ""}`,
  });
  return true;
}

function indexedSpec(spec: PodSpec, hostname: string): PodSpec {
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: {
      fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${indexAnnotation}']` },
    },
  };
  const told = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []).filter(({ name }) => name !== variable.name), variable],
  });
  return {
    ...spec,
    hostname: spec.hostname ?? hostname,
    containers: spec.containers.map(told),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(told) }),
  };
}
