import type { ServicePort } from "../api/strategies/service-spec.ts";
import { isFinished, isPodReady, isPodTerminating } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import type { Service } from "./service-types.ts";

/** A pod behind a service, with the ports by which it is reached there. */
export interface ServiceEndpoint {
  readonly pod: Pod;
  readonly ip: string;
  readonly isReady: boolean;
  readonly ports: readonly EndpointPort[];
}

export interface EndpointPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** The pods that a service leads to; those that have ended or have no address are left out. */
export function endpointsOf(
  service: Service,
  selected: readonly Pod[],
): readonly ServiceEndpoint[] {
  const { publishNotReadyAddresses = false, ports = [] } = service.spec;
  return selected.flatMap((pod) => {
    const ip = pod.status?.podIP;
    if (ip === undefined || isFinished(pod)) return [];
    const reached = ports.flatMap((port) => resolve(port, pod));
    const serves = publishNotReadyAddresses || (isPodReady(pod) && !isPodTerminating(pod));
    return [{ pod, ip, isReady: serves, ports: reached }];
  });
}

function resolve(
  { name = "", port, protocol = "TCP", targetPort = port, appProtocol }: ServicePort,
  { spec }: Pod,
): readonly EndpointPort[] {
  const found =
    typeof targetPort === "number"
      ? targetPort
      : spec.containers
          .flatMap((container) => container.ports ?? [])
          .find((each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol)
          ?.containerPort;
  if (found === undefined) return [];
  return [{ name, port: found, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
}

/** Endpoints that are reached by the same ports, together. */
export function groupByPorts(
  endpoints: readonly ServiceEndpoint[],
): readonly (readonly [readonly EndpointPort[], readonly ServiceEndpoint[]])[] {
  const groups = new Map<string, [readonly EndpointPort[], ServiceEndpoint[]]>();
  for (const endpoint of endpoints) {
    const key = JSON.stringify(endpoint.ports);
    const group = groups.get(key) ?? [endpoint.ports, []];
    group[1].push(endpoint);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function podTarget({ metadata }: Pod): object {
  const { namespace, name, uid } = metadata;
  return { kind: "Pod", namespace, name, uid };
}

/** The name of a pod within a service that gives its pods names. */
export function hostnameOf({ spec }: Pod, { metadata }: Service): string | undefined {
  return spec.subdomain === metadata.name ? spec.hostname : undefined;
}
