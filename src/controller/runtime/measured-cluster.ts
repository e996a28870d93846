import type { Cluster, PartOptions } from "../../cluster/index.ts";

/** The same cluster and a part of its view, reporting every request before it is sent. */
export function measuredCluster(
  cluster: Cluster,
  onRequest: (verb: string, kind: string) => void,
  onTrouble?: PartOptions["onTrouble"],
): Cluster {
  const { as } = cluster;
  return {
    ...cluster,
    view: cluster.view.part({
      onTrouble,
      onUse: ({ kind, state }) => {
        // What somebody else watches costs no request.
        if (state === "pending") onRequest("watch", kind.kind);
      },
    }),
    as: as === undefined ? undefined : (credentials) => measuredCluster(as(credentials), onRequest),
    get: (reference, options) => {
      onRequest("get", reference.kind);
      return cluster.get(reference, options);
    },
    find: (reference, options) => {
      onRequest("get", reference.kind);
      return cluster.find(reference, options);
    },
    list: (kind, options) => {
      onRequest("list", kind.kind);
      return cluster.list(kind, options);
    },
    watch: (kind, options) => {
      onRequest("watch", kind.kind);
      return cluster.watch(kind, options);
    },
    apply: (object, options) => {
      onRequest("apply", object.kind);
      return cluster.apply(object, options);
    },
    create: (object, options) => {
      onRequest("create", object.kind);
      return cluster.create(object, options);
    },
    update: (object, options) => {
      onRequest("update", object.kind);
      return cluster.update(object, options);
    },
    patch: (reference, type, patch, options) => {
      onRequest("patch", reference.kind);
      return cluster.patch(reference, type, patch, options);
    },
    delete: (reference, options) => {
      onRequest("delete", reference.kind);
      return cluster.delete(reference, options);
    },
  };
}
