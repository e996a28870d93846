import { type Cluster, type ClusterOptions, clusterOver } from "./cluster.ts";
import { discoveryCacheFile } from "./api/discovery-cache.ts";
import { systemTiming } from "./timing.ts";
import type { ConnectionSettings } from "./transport/connection-settings.ts";
import { HttpTransport } from "./transport/http-transport.ts";
import { LimitingTransport } from "./transport/limiting-transport.ts";
import { RenewingTransport } from "./transport/renewing-transport.ts";
import { RetryingTransport } from "./transport/retrying-transport.ts";

export interface ConnectionOptions extends Omit<ClusterOptions, "discoveryCache"> {
  /** Where discovery is cached between runs; left out, it is not. */
  readonly cacheFolder?: string | undefined;
}

/** The API of a cluster over the network. Nothing is sent before the first request. */
export function connectTo(settings: ConnectionSettings, options: ConnectionOptions = {}): Cluster {
  const { cacheFolder, timing = systemTiming, ...rest } = options;
  const http = new RenewingTransport(new HttpTransport(settings), settings.credentials);
  // A request that waits before its next attempt gives its place to others.
  const transport = new RetryingTransport(new LimitingTransport(http, timing), timing);
  return clusterOver(transport, {
    ...rest,
    timing,
    as: (credentials) => connectTo({ ...settings, credentials, impersonate: undefined }, options),
    discoveryCache:
      cacheFolder === undefined
        ? undefined
        : discoveryCacheFile(cacheFolder, settings.server, settings.certificateAuthority),
  });
}
