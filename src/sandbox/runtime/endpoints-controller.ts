import { type JsonValue, equalValues } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { controllerReference } from "./adopt.ts";
import type { Controller } from "./controller.ts";
import { isPodTerminating } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import { type Runtime, endpointSlices, pods, services } from "./runtime.ts";
import { SelectorIndex } from "./selector-index.ts";
import {
  type ServiceEndpoint,
  type EndpointPort,
  endpointsOf,
  groupByPorts,
  hostnameOf,
  podTarget,
} from "./service-endpoints.ts";
import type { Service } from "./service-types.ts";

const endpoints = "/endpoints";
const serviceLabel = "kubernetes.io/service-name";
const mostPerSlice = 100;
const mostPerEndpoints = 1000;
const changedAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Writes down which pods are behind a service: as Endpoints, and as EndpointSlices. */
export function endpointsController(runtime: Runtime): Controller {
  const selectors = new SelectorIndex(services, (service) => selectorOf(service as Service));
  return {
    name: "endpoints",
    watches: [services, pods, endpoints, endpointSlices],
    keysOf: (change) => {
      selectors.update(change);
      const { resource, type, stored } = change;
      if (resource === services) return [stored];
      if (resource === pods) return selectors.concernedBy(change);
      if (type !== "DELETED") return [];
      if (resource === endpoints) return [stored];
      const name = stored.object.metadata.labels?.[serviceLabel];
      return resource === endpointSlices && name !== undefined
        ? [{ namespace: stored.namespace, name }]
        : [];
    },
    reconcile: ({ namespace, name }) => {
      const service = runtime.client.get(services, namespace, name) as Service | undefined;
      if (service === undefined) runtime.client.delete(endpoints, namespace, name);
      else if (service.metadata.deletionTimestamp === undefined) sync(runtime, service);
      return undefined;
    },
  };
}

function selectorOf({
  spec,
}: Service): { readonly matchLabels: Readonly<Record<string, string>> } | undefined {
  const { selector = {}, type } = spec;
  const isLeading = Object.keys(selector).length > 0 && type !== "ExternalName";
  return isLeading ? { matchLabels: selector } : undefined;
}

function sync(runtime: Runtime, service: Service): void {
  const selector = selectorOf(service);
  if (selector === undefined) return;
  const { namespace = "" } = service.metadata;
  const found = endpointsOf(service, runtime.selectPods(namespace, selector));
  writeEndpoints(runtime, service, found);
  writeSlices(runtime, service, found);
}

function writeEndpoints(
  runtime: Runtime,
  service: Service,
  found: readonly ServiceEndpoint[],
): void {
  const { client } = runtime;
  const { namespace = "", name = "", labels } = service.metadata;
  const living = found.filter(({ pod }) => !isPodTerminating(pod)).slice(0, mostPerEndpoints);
  const subsets = groupByPorts(living).map(([ports, group]) => subsetOf(service, ports, group));
  const live = client.get(endpoints, namespace, name);
  const before = (live?.["subsets"] ?? []) as JsonValue;
  if (live !== undefined && equalValues(before, subsets as unknown as JsonValue)) return;
  const metadata = {
    labels: { ...labels, "endpoints.kubernetes.io/managed-by": "endpoint-controller" },
    annotations: { [changedAnnotation]: runtime.timestamp() },
  };
  const content = subsets.length === 0 ? {} : { subsets };
  if (live === undefined) {
    client.create(endpoints, {
      kind: "Endpoints",
      apiVersion: "v1",
      metadata: { name, namespace, ...metadata },
      ...content,
    });
    return;
  }
  client.update(endpoints, namespace, name, (current) => {
    const { subsets: _before, ...rest } = current;
    return { ...rest, metadata: { ...current.metadata, ...metadata }, ...content };
  });
}

function subsetOf(
  service: Service,
  ports: readonly EndpointPort[],
  group: readonly ServiceEndpoint[],
): object {
  const addressOf = ({ pod, ip }: ServiceEndpoint): object => {
    const hostname = hostnameOf(pod, service);
    return {
      ip,
      ...(hostname === undefined ? {} : { hostname }),
      nodeName: pod.spec.nodeName,
      targetRef: podTarget(pod),
    };
  };
  const byIp = [...group].sort((left, right) => (left.ip < right.ip ? -1 : 1));
  const ready = byIp.filter(({ isReady }) => isReady).map(addressOf);
  const unready = byIp.filter(({ isReady }) => !isReady).map(addressOf);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(unready.length === 0 ? {} : { notReadyAddresses: unready }),
    ...(ports.length === 0 ? {} : { ports: ports.map(portOf) }),
  };
}

/** Endpoints leave an empty name out, slices write it. */
function portOf({ name, ...port }: EndpointPort): object {
  return name === "" ? port : { name, ...port };
}

interface SliceContent {
  readonly endpoints: readonly object[] | null;
  readonly ports: readonly object[] | null;
}

function writeSlices(runtime: Runtime, service: Service, found: readonly ServiceEndpoint[]): void {
  const { client } = runtime;
  const { namespace = "", name = "" } = service.metadata;
  const wanted = slicesOf(service, found);
  const present = runtime.ownedBy(endpointSlices, service);
  for (const [index, content] of wanted.entries()) {
    const live = present[index];
    if (live === undefined) createSlice(runtime, service, content);
    else if (!isSameSlice(live, content)) {
      client.update(endpointSlices, namespace, live.metadata.name ?? "", (current) => ({
        ...current,
        metadata: {
          ...current.metadata,
          annotations: {
            ...current.metadata.annotations,
            [changedAnnotation]: runtime.timestamp(),
          },
        },
        ...content,
      }));
    }
  }
  for (const { metadata } of present.slice(wanted.length)) {
    client.delete(endpointSlices, namespace, metadata.name ?? name);
  }
}

function isSameSlice(live: KubernetesObject, { endpoints: wanted, ports }: SliceContent): boolean {
  return (
    equalValues((live["endpoints"] ?? null) as JsonValue, wanted as unknown as JsonValue) &&
    equalValues((live["ports"] ?? null) as JsonValue, ports as unknown as JsonValue)
  );
}

function slicesOf(service: Service, found: readonly ServiceEndpoint[]): readonly SliceContent[] {
  const slices = groupByPorts(found).flatMap(([ports, group]) => {
    const written = group.map((endpoint) => sliceEndpoint(service, endpoint));
    const chunks: SliceContent[] = [];
    for (let start = 0; start < written.length; start += mostPerSlice) {
      chunks.push({
        endpoints: written.slice(start, start + mostPerSlice),
        ports: ports.length === 0 ? null : ports,
      });
    }
    return chunks;
  });
  return slices.length === 0 ? [{ endpoints: null, ports: null }] : slices;
}

function sliceEndpoint(service: Service, { pod, ip, isReady: ready }: ServiceEndpoint): object {
  const hostname = hostnameOf(pod, service);
  return {
    addresses: [ip],
    conditions: { ready, serving: isServing(pod, ready), terminating: isPodTerminating(pod) },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: podTarget(pod),
    nodeName: pod.spec.nodeName,
  };
}

/** A pod that is being stopped may still serve as long as it is ready. */
function isServing(pod: Pod, ready: boolean): boolean {
  return (
    ready ||
    pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ===
      true
  );
}

function createSlice(runtime: Runtime, service: Service, content: SliceContent): void {
  const { namespace = "", name = "", labels } = service.metadata;
  const isHeadless = service.spec.clusterIP === "None";
  runtime.client.create(endpointSlices, {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        [serviceLabel]: name,
        ...(isHeadless ? { "service.kubernetes.io/headless": "" } : {}),
      },
      annotations: { [changedAnnotation]: runtime.timestamp() },
      ownerReferences: [controllerReference(service)],
    },
    addressType: "IPv4",
    ...content,
  });
}
