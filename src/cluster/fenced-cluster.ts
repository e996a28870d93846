import type { Cluster } from "./cluster.ts";
import type { TransportRequest } from "./transport/transport.ts";

/** The same API, and the same view, for one whose writes are sent only as long as a fence lets them. */
export function fencedCluster(
  cluster: Cluster,
  fence: NonNullable<TransportRequest["fence"]>,
): Cluster {
  const { as } = cluster;
  /** A dry run writes nothing. */
  const fenced = <Options extends { readonly dryRun?: boolean | undefined }>(
    options: Options,
  ): Options => (options.dryRun === true ? options : { ...options, fence });
  return {
    ...cluster,
    apply: (object, options) => cluster.apply(object, fenced(options)),
    create: (object, options = {}) => cluster.create(object, fenced(options)),
    update: (object, options = {}) => cluster.update(object, fenced(options)),
    patch: (reference, type, patch, options = {}) =>
      cluster.patch(reference, type, patch, fenced(options)),
    delete: (reference, options = {}) => cluster.delete(reference, fenced(options)),
    deleteCollection: (kind, options = {}) => cluster.deleteCollection(kind, fenced(options)),
    as: as === undefined ? undefined : (credentials) => fencedCluster(as(credentials), fence),
  };
}
