import type { AdmittedContainer, AdmittedPodSpec } from "../pod-resources.ts";
import { computeUsage } from "./usage.ts";

const required = ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

/** Where a quota speaks of cpu or memory, every container must say how much it needs. */
export function requestsMissing(
  spec: AdmittedPodSpec,
  restricted: readonly string[],
): string | undefined {
  if (hasPodLevelResources(spec)) return undefined;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const missing = restricted
    .filter((name) => required.includes(name))
    .toSorted()
    .flatMap((name) => {
      const without = containers.filter((container) => !says(container, name));
      const names = [...new Set(without.map((each) => each.name))].toSorted();
      return names.length === 0 ? [] : [`${name} for: ${names.join(",")}`];
    });
  return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
}

function hasPodLevelResources({ resources = {} }: AdmittedPodSpec): boolean {
  const names = Object.keys({ ...resources.requests, ...resources.limits });
  return names.some((name) => name === "cpu" || name === "memory" || name.startsWith("hugepages-"));
}

function says({ resources = {} }: AdmittedContainer, name: string): boolean {
  return computeUsage(resources.requests ?? {}, resources.limits ?? {})[name] !== undefined;
}
