import type { KubernetesObject } from "../../../objects/index.ts";

export interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ports?: readonly ServicePort[];
  readonly [field: string]: unknown;
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
  readonly nodePort?: number;
}

export function specOf(service: KubernetesObject): ServiceSpec {
  return (service["spec"] ?? {}) as ServiceSpec;
}
