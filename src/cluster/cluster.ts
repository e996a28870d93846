import type { JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { ClientContext } from "./api/client-context.ts";
import type { RequestPurpose } from "./api/api-error.ts";
import type { ApiResource, ObjectKind, ObjectReference } from "./api/api-resource.ts";
import {
  deleteCollection,
  type DeleteCollectionOptions,
  type DeleteOptions,
  sendDelete,
} from "./api/delete.ts";
import { DiscoveredResources } from "./api/discovered-resources.ts";
import type { DiscoveryCache } from "./api/discovery-cache.ts";
import {
  fetchList,
  type ListOptions,
  type ListPage,
  listPages,
  type ObjectList,
} from "./api/list.ts";
import { findObject, getObject, type GetOptions } from "./api/read.ts";
import {
  type IssuedToken,
  requestToken,
  type ServiceAccountReference,
  type TokenOptions,
} from "./api/request-token.ts";
import type { ResourceIndex } from "./api/resource-index.ts";
import { serverVersion, type ServerVersion } from "./api/server-version.ts";
import { followObjects, type WatchEvent, type WatchOptions } from "./api/watch.ts";
import {
  type ApplyResult,
  type ObjectApplyOptions,
  type ObjectWriteOptions,
  type PatchType,
  sendApply,
  sendCreate,
  sendPatch,
  sendUpdate,
} from "./api/write.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { ExecOptions } from "./streams/pod-exec.ts";
import { followPodLogs, type PodLogQuery, type PodReference } from "./streams/pod-logs.ts";
import type { OpenPortForward, PortForwardOptions } from "./streams/port-forward.ts";
import { systemTiming, type Timing } from "./timing.ts";
import type { Transport } from "./transport/transport.ts";
import { type ClusterView, openClusterView } from "./view/cluster-view.ts";

/** The Kubernetes API of one cluster. Failures are DiagnosticErrors: of the server, ApiErrors. */
export interface Cluster {
  /** The namespace of objects that name none. */
  readonly namespace: string;
  version(): Promise<ServerVersion>;
  /** What the cluster serves. */
  resources(): Promise<ResourceIndex>;
  /** Forgets what is known of what the cluster serves: a CRD was just added. */
  refreshResources(): Promise<ResourceIndex>;
  resource(kind: ObjectKind): Promise<ApiResource>;

  get(reference: ObjectReference, options?: GetOptions): Promise<KubernetesObject>;
  find(reference: ObjectReference, options?: GetOptions): Promise<KubernetesObject | undefined>;
  list(kind: ObjectKind, options?: ListOptions): Promise<ObjectList>;
  listPages(kind: ObjectKind, options?: ListOptions): AsyncIterable<ListPage>;
  watch(kind: ObjectKind, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** What all who look at this cluster share: watches, and the answers to writes made through it. */
  readonly view: ClusterView;

  apply(object: KubernetesObject, options: ObjectApplyOptions): Promise<ApplyResult>;
  create(object: KubernetesObject, options?: ObjectWriteOptions): Promise<KubernetesObject>;
  update(object: KubernetesObject, options?: ObjectWriteOptions): Promise<KubernetesObject>;
  patch(
    reference: ObjectReference,
    type: PatchType,
    patch: JsonValue,
    options?: ObjectWriteOptions,
  ): Promise<KubernetesObject>;
  delete(
    reference: ObjectReference,
    options?: DeleteOptions,
  ): Promise<KubernetesObject | undefined>;
  deleteCollection(kind: ObjectKind, options?: DeleteCollectionOptions): Promise<void>;

  /** A token with which the holder is a service account. */
  serviceAccountToken(
    account: ServiceAccountReference,
    options?: TokenOptions,
  ): Promise<IssuedToken>;

  logs(pod: PodReference, options?: PodLogQuery): AsyncIterable<string>;
  exec(pod: PodReference, options: ExecOptions): Promise<number>;
  portForward(pod: PodReference, options: PortForwardOptions): Promise<OpenPortForward>;

  /** The same API as somebody else, over connections of its own; undefined where nobody else can be. */
  readonly as: ((credentials: Credentials) => Cluster) | undefined;

  /** Ends all connections; afterwards nothing keeps the process alive. */
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly namespace?: string | undefined;
  readonly timing?: Timing | undefined;
  readonly discoveryCache?: DiscoveryCache | undefined;
  readonly onWarning?: ((warning: string, purpose: RequestPurpose) => void) | undefined;
  readonly as?: Cluster["as"];
}

/** The API over any transport: the network, or the embedded API server. */
export function clusterOver(transport: Transport, options: ClusterOptions = {}): Cluster {
  const { namespace = "default", timing = systemTiming, discoveryCache, onWarning } = options;
  const resources = new DiscoveredResources(transport, timing, discoveryCache);
  const support = { streamedLists: true };
  const context: ClientContext = { transport, resources, namespace, timing, support, onWarning };
  const reads: Pick<Cluster, "find" | "list" | "watch"> = {
    find: (reference, get) => findObject(context, reference, get),
    list: (kind, list) => fetchList(context, kind, list),
    watch: (kind, watch) => followObjects(context, kind, watch),
  };
  const view = openClusterView(reads, { timing });
  const remembered = async (
    answer: Promise<KubernetesObject>,
    write: ObjectWriteOptions = {},
  ): Promise<KubernetesObject> => {
    const object = await answer;
    if (write.dryRun !== true) view.remember(object);
    return object;
  };
  return {
    ...reads,
    view,
    namespace,
    version: () => serverVersion(context),
    resources: () => resources.index(),
    refreshResources: () => resources.refresh(),
    resource: (kind) => resources.resource(kind),
    get: (reference, get) => getObject(context, reference, get),
    listPages: (kind, list) => listPages(context, kind, list),
    apply: async (object, apply) => {
      const result = await sendApply(context, object, apply);
      if (apply.dryRun !== true) view.remember(result.object);
      return result;
    },
    create: (object, write) => remembered(sendCreate(context, object, write), write),
    update: (object, write) => remembered(sendUpdate(context, object, write), write),
    patch: (reference, type, patch, write) =>
      remembered(sendPatch(context, reference, type, patch, write), write),
    delete: async (reference, remove) => {
      const left = await sendDelete(context, reference, remove);
      // What stays for now has changed: it is being deleted.
      if (left?.metadata.deletionTimestamp !== undefined && remove?.dryRun !== true)
        view.remember(left);
      return left;
    },
    deleteCollection: (kind, remove) => deleteCollection(context, kind, remove),
    serviceAccountToken: (account, token) => requestToken(context, account, token),
    logs: (pod, log) => followPodLogs(context, pod, log),
    exec: async (pod, exec) => (await import("./streams/pod-exec.ts")).podExec(context, pod, exec),
    portForward: async (pod, forward) =>
      (await import("./streams/port-forward.ts")).portForward(context, pod, forward),
    as: options.as,
    close: async () => {
      await Promise.all([view.close(), transport.close()]);
    },
  };
}
