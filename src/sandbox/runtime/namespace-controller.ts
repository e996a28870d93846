import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../clock.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";

const namespaces = "/namespaces";
const pods = "/pods";

/** Gives namespaces what every namespace has, and empties those that are deleted. */
export function namespaceController(context: ApiContext): Controller {
  const client = new InternalClient(context, "kube-controller-manager");

  const reconcile = ({ name }: ObjectKey): undefined => {
    const namespace = client.get(namespaces, "", name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) furnish(client, name);
    else if (empty(context, client, name)) finish(context, client, name);
    else tellProgress(context, client, name);
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

/** Deletes what is in a namespace, its pods first; true when nothing is left. */
function empty(
  { store, registry }: ApiContext,
  client: InternalClient,
  namespace: string,
): boolean {
  for (const { name } of store.list(pods, namespace)) {
    client.delete(pods, namespace, name, { gracePeriodSeconds: 0 });
  }
  // What pods use stays as long as they do.
  if (store.list(pods, namespace).length > 0) return false;
  let isEmpty = true;
  for (const { storageKey, namespaced } of registry.stored()) {
    if (!namespaced) continue;
    for (const { name, object } of store.list(storageKey, namespace)) {
      if (object.metadata.deletionTimestamp === undefined) {
        client.delete(storageKey, namespace, name);
      }
    }
    isEmpty &&= store.list(storageKey, namespace).length === 0;
  }
  return isEmpty;
}

const progress: readonly (readonly [type: string, reason: string, message: string])[] = [
  [
    "NamespaceDeletionDiscoveryFailure",
    "ResourcesDiscovered",
    "All resources successfully discovered",
  ],
  [
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  [
    "NamespaceFinalizersRemaining",
    "ContentHasNoFinalizers",
    "All content-preserving finalizers finished",
  ],
];

/** Says once that the namespace is being emptied: clients wait for these conditions. */
function tellProgress({ clock }: ApiContext, client: InternalClient, name: string): void {
  client.updateStatus(namespaces, "", name, ({ status }) => {
    const told = (status ?? {}) as { readonly conditions?: unknown };
    if (told.conditions !== undefined) return told;
    const lastTransitionTime = timestamp(clock.now());
    const conditions = progress.map(([type, reason, message]) => ({
      type,
      status: "False",
      lastTransitionTime,
      reason,
      message,
    }));
    return { ...told, conditions };
  });
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
