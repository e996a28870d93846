import type { KubernetesObject } from "../../objects/index.ts";
import type { Controller } from "./controller.ts";
import { asPod, isFinished } from "./pod-state.ts";
import { type Runtime, pods, services } from "./runtime.ts";
import { putStatus } from "./put-status.ts";

const quotas = "/resourcequotas";
const recountMs = 1000;

const counted: Readonly<Record<string, string>> = {
  pods,
  services,
  configmaps: "/configmaps",
  secrets: "/secrets",
  persistentvolumeclaims: "/persistentvolumeclaims",
  replicationcontrollers: "/replicationcontrollers",
  resourcequotas: quotas,
};

/** Writes into ResourceQuotas how many objects there are; amounts of cpu and the like stay zero. */
export function quotaController(runtime: Runtime): Controller {
  const { store } = runtime.api;
  return {
    name: "quota",
    keysOf: ({ resource, type, stored }) => {
      if (resource === quotas) return type === "DELETED" ? [] : [stored];
      const counts = type !== "MODIFIED" || resource === pods;
      if (!counts || stored.namespace === "" || store.count(quotas) === 0) return [];
      return store
        .list(quotas, stored.namespace)
        .map(({ namespace, name }) => ({ namespace, name }));
    },
    reconcile: ({ namespace, name }) => {
      const quota = runtime.client.get(quotas, namespace, name);
      if (quota === undefined) return undefined;
      const { hard = {} } = (quota["spec"] ?? {}) as { hard?: Readonly<Record<string, string>> };
      const used = Object.fromEntries(
        Object.keys(hard).map((key) => [key, String(countOf(runtime, namespace, key))]),
      );
      putStatus(runtime.client, quotas, quota, { hard, used });
      return recountMs * 60;
    },
  };
}

function countOf({ api, client }: Runtime, namespace: string, key: string): number {
  const listed = (storageKey: string): readonly KubernetesObject[] =>
    client.list(storageKey, namespace);
  if (key === "services.loadbalancers") return ofType(listed(services), ["LoadBalancer"]);
  if (key === "services.nodeports") return ofType(listed(services), ["NodePort", "LoadBalancer"]);
  const resource = key.startsWith("count/")
    ? storageKeyOf(key.slice("count/".length))
    : counted[key];
  if (resource === undefined) return 0;
  if (resource === pods && key === "pods")
    return listed(pods).filter((pod) => !isFinished(asPod(pod))).length;
  return api.store.list(resource, namespace).length;
}

/** `deployments.apps` is kept as `apps/deployments`. */
function storageKeyOf(text: string): string {
  const [resource = "", ...group] = text.split(".");
  return `${group.join(".")}/${resource}`;
}

function ofType(objects: readonly KubernetesObject[], types: readonly string[]): number {
  return objects.filter(({ spec }) => types.includes((spec as { type?: string }).type ?? ""))
    .length;
}
