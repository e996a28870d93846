import { addLists, greaterOf, pick, type ResourceList } from "./resource-list.ts";

export interface ResourceNeeds {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

export interface AdmittedContainer {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: ResourceNeeds;
}

export interface AdmittedPodSpec {
  readonly containers?: readonly AdmittedContainer[];
  readonly initContainers?: readonly AdmittedContainer[];
  readonly resources?: ResourceNeeds;
  readonly overhead?: ResourceList;
  readonly activeDeadlineSeconds?: number;
  readonly priorityClassName?: string;
  readonly affinity?: unknown;
}

const podLevelResources = new Set(["cpu", "memory"]);

/**
 * What a pod requests, or is limited to, as a whole: the containers that run together, or what
 * starting it takes if that is more. Sidecars run beside those that are started after them.
 */
export function podTotal(spec: AdmittedPodSpec, which: keyof ResourceNeeds): ResourceList {
  let running: ResourceList = {};
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const { resources } of spec.containers ?? []) {
    running = addLists(running, resources?.[which] ?? {});
  }
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const own = resources?.[which] ?? {};
    const together = addLists(own, sidecars);
    if (restartPolicy === "Always") {
      running = addLists(running, own);
      sidecars = together;
    }
    starting = greaterOf(starting, together);
  }
  const ofPod = pick(spec.resources?.[which] ?? {}, (name) => podLevelResources.has(name));
  return { ...greaterOf(running, starting), ...ofPod };
}
