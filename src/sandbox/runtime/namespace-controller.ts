import type { ApiContext } from "../api/api-context.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";

const namespaces = "/namespaces";

/** Gives namespaces what every namespace has, and empties those that are deleted. */
export function namespaceController(context: ApiContext): Controller {
  const client = new InternalClient(context, "kube-controller-manager");

  const reconcile = ({ name }: ObjectKey): undefined => {
    const namespace = client.get(namespaces, "", name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) furnish(client, name);
    else if (empty(context, client, name)) finish(context, client, name);
  };

  return {
    name: "namespace",
    keysOf: ({ resource, stored, type }) => {
      if (resource === namespaces) return type === "DELETED" ? [] : [stored];
      if (stored.namespace === "") return [];
      const isTerminating =
        client.get(namespaces, "", stored.namespace)?.metadata.deletionTimestamp !== undefined;
      const isFurniture = resource === "/serviceaccounts" || resource === "/configmaps";
      const key = { namespace: "", name: stored.namespace };
      return isTerminating || (isFurniture && type === "DELETED") ? [key] : [];
    },
    reconcile,
  };
}

function furnish(client: InternalClient, namespace: string): void {
  if (client.get("/serviceaccounts", namespace, "default") === undefined) {
    client.create("/serviceaccounts", {
      kind: "ServiceAccount",
      apiVersion: "v1",
      metadata: { name: "default", namespace },
    });
  }
  const root = "kube-root-ca.crt";
  if (client.get("/configmaps", namespace, root) === undefined) {
    client.create("/configmaps", {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: root,
        namespace,
        annotations: {
          "kubernetes.io/description":
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
        },
      },
      data: { "ca.crt": "" },
    });
  }
}

/** Deletes what is in a namespace; true when nothing is left. */
function empty(
  { store, registry }: ApiContext,
  client: InternalClient,
  namespace: string,
): boolean {
  let isEmpty = true;
  for (const { storageKey, namespaced } of registry.stored()) {
    if (!namespaced) continue;
    for (const { name, object } of store.list(storageKey, namespace)) {
      if (object.metadata.deletionTimestamp === undefined || storageKey === "/pods") {
        client.delete(
          storageKey,
          namespace,
          name,
          storageKey === "/pods" ? { gracePeriodSeconds: 0 } : {},
        );
      }
    }
    isEmpty &&= store.list(storageKey, namespace).length === 0;
  }
  return isEmpty;
}

/** The last finalizer goes through `/finalize`; then the namespace goes, unless others hold it. */
function finish({ store }: ApiContext, client: InternalClient, name: string): void {
  const live = client.update(
    namespaces,
    "",
    name,
    (namespace) => ({ ...namespace, spec: {} }),
    "finalize",
  );
  if (live !== undefined && (live.metadata.finalizers ?? []).length === 0)
    store.delete(namespaces, "", name);
}
