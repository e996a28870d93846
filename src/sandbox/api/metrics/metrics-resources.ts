import type { ServedResource } from "../served-resource.ts";

export const metricsGroup = "metrics.k8s.io";

/** What a metrics server would add to the API; nothing of it is stored. */
export const metricsResources: readonly ServedResource[] = [
  metricsResource("nodes", "NodeMetrics", false),
  metricsResource("pods", "PodMetrics", true),
];

function metricsResource(resource: string, kind: string, namespaced: boolean): ServedResource {
  return {
    group: metricsGroup,
    version: "v1beta1",
    resource,
    kind,
    listKind: `${kind}List`,
    singular: "",
    shortNames: [],
    categories: [],
    namespaced,
    verbs: ["get", "list"],
    subresources: [],
    storageKey: `${metricsGroup}/${resource}`,
    storageVersion: "v1beta1",
    schema: undefined,
  };
}
