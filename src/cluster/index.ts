/**
 * The Kubernetes API: which cluster, how to reach it, and every verb of it.
 *
 * This folder does not know what Keelson wants from a cluster: no inventory, no plans, no readiness.
 * What needs an API takes a {@link Cluster}, which may as well be the embedded one: everything above
 * {@link Transport} is the same for both.
 */
export type { Cluster } from "./cluster.ts";
export { clusterOver } from "./cluster.ts";
export { fencedCluster } from "./fenced-cluster.ts";
export type { Credentials } from "./credentials/credentials.ts";
export { fixedCredentials } from "./credentials/credentials.ts";
export type { ConnectionOptions } from "./connect.ts";
export { connectTo } from "./connect.ts";
export type { ClusterSelection } from "./kubeconfig/select-cluster.ts";
export { contextNames, selectCluster } from "./kubeconfig/select-cluster.ts";
export type { ClusterView, PartOptions } from "./view/cluster-view.ts";
export { openClusterView } from "./view/cluster-view.ts";
export type { Depth } from "./view/depth.ts";
export { byOwner, byUid } from "./view/index-keys.ts";
export type {
  IndexKeys,
  KindState,
  KindView,
  KindViewOptions,
  ViewEvent,
} from "./view/kind-view.ts";
export { ApiError, isApiError, isNotFound, isUnserved, provesAbsence } from "./api/api-error.ts";
export { resourceNotServed } from "./api/discovered-resources.ts";
export { untilAnswered, untilServed } from "./api/until-served.ts";
export type { StatusDetails } from "./api/status.ts";
export type { ApiResource, ObjectKind, ObjectReference } from "./api/api-resource.ts";
export { referenceTo } from "./api/reference-to.ts";
export type { IssuedToken } from "./api/request-token.ts";
export type { ResourceIndex } from "./api/resource-index.ts";
export type { ListOptions, ObjectList } from "./api/list.ts";
export type { WatchEvent } from "./api/watch.ts";
export type { ObjectApplyOptions, ObjectWriteOptions } from "./api/write.ts";
export type { DeleteOptions } from "./api/delete.ts";
export type { PodLogQuery } from "./streams/pod-logs.ts";
export type { OpenPortForward } from "./streams/port-forward.ts";
export type { Timing } from "./timing.ts";
export { backoffMs, systemTiming } from "./timing.ts";
export type { ConnectionSettings } from "./transport/connection-settings.ts";
export { ConnectionError } from "./transport/connection-error.ts";
export { SocketRefused } from "./transport/socket-refused.ts";
export { queryParameters } from "./transport/transport.ts";
export type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "./transport/transport.ts";
