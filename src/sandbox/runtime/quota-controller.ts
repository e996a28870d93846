import type { KubernetesObject } from "../../objects/index.ts";
import { addLists, pick, type ResourceList } from "../api/admission/resource-list.ts";
import { isInScope } from "../api/admission/quota/scopes.ts";
import { measures, chargedUsage } from "../api/admission/quota/usage.ts";
import type { ApiContext } from "../api/api-context.ts";
import type { ServedResource } from "../api/served-resource.ts";
import { recordAt } from "../api/tables/read-fields.ts";
import type { Controller } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";
import { putStatus } from "./put-status.ts";

const quotas = "/resourcequotas";
const recountMs = 60_000;
const recountedOnChange = new Set(["/pods", "/services", "/persistentvolumeclaims"]);

/** Keeps what is used of ResourceQuotas: admission adds what comes, and this counts again. */
export function quotaController(context: ApiContext): Controller {
  const { store } = context;
  const client = new InternalClient(context, "kube-controller-manager");
  return {
    name: "quota",
    keysOf: ({ resource, type, stored }) => {
      if (resource === quotas && type !== "DELETED") return [stored];
      const counts = type !== "MODIFIED" || recountedOnChange.has(resource);
      if (!counts || stored.namespace === "" || store.count(quotas) === 0) return [];
      return store
        .list(quotas, stored.namespace)
        .map(({ namespace, name }) => ({ namespace, name }));
    },
    reconcile: ({ namespace, name }) => {
      const quota = client.get(quotas, namespace, name);
      if (quota === undefined) return undefined;
      const hard = recordAt(quota, "spec.hard") as ResourceList;
      putStatus(client, quotas, quota, { hard, used: usedOf(context, quota, hard) });
      return recountMs;
    },
  };
}

function usedOf(
  { store, registry }: ApiContext,
  quota: KubernetesObject,
  hard: ResourceList,
): ResourceList {
  const names = Object.keys(hard);
  let used: ResourceList = {};
  for (const resource of registry.stored()) {
    const measured = names.filter((name) => measures(resource, name));
    if (!resource.namespaced || measured.length === 0) continue;
    const usage = totalOf(
      resource,
      store
        .list(resource.storageKey, quota.metadata.namespace)
        .map(({ object }) => object)
        .filter((object) => isInScope(quota, object)),
    );
    for (const name of measured) used = { ...used, [name]: usage[name] ?? "0" };
  }
  return pick(used, (name) => hard[name] !== undefined);
}

function totalOf(resource: ServedResource, objects: readonly KubernetesObject[]): ResourceList {
  return objects.reduce<ResourceList>(
    (total, object) => addLists(total, chargedUsage(resource, object)),
    {},
  );
}
