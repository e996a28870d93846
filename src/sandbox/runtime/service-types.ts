import type { ServicePort } from "../api/strategies/service-spec.ts";
import type { KubernetesObject } from "../../objects/index.ts";

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly type?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly clusterIP?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly loadBalancerClass?: string;
    readonly ports?: readonly ServicePort[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] };
    readonly [field: string]: unknown;
  };
}
