import type { KubernetesObject } from "../objects/index.ts";

export interface EndedState {
  readonly reason?: string;
  readonly exitCode?: number;
  readonly message?: string;
  readonly finishedAt?: string;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: EndedState;
}

export interface StatusOfContainer {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface ProbeShape {
  readonly httpGet?: { readonly path?: string; readonly port?: number | string };
  readonly tcpSocket?: { readonly port?: number | string };
  readonly grpc?: { readonly port?: number };
  readonly exec?: { readonly command?: readonly string[] };
  readonly timeoutSeconds?: number;
}

export interface PodContainer {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> };
  readonly readinessProbe?: ProbeShape;
  readonly livenessProbe?: ProbeShape;
  readonly startupProbe?: ProbeShape;
}

interface PodShape {
  readonly spec?: {
    readonly nodeName?: string;
    readonly activeDeadlineSeconds?: number;
    readonly containers?: readonly PodContainer[];
    readonly initContainers?: readonly PodContainer[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly containerStatuses?: readonly StatusOfContainer[];
    readonly initContainerStatuses?: readonly StatusOfContainer[];
  };
}

/** A pod as the API server wrote it; fields of another type are not expected. */
export function podShape(pod: KubernetesObject): PodShape {
  return pod as unknown as PodShape;
}

export function memoryLimitOf(container: PodContainer | undefined): string | undefined {
  const limit = container?.resources?.limits?.["memory"];
  return limit === undefined ? undefined : String(limit);
}

export interface PlacedContainer {
  readonly spec: PodContainer;
  readonly status: StatusOfContainer;
  readonly kind: "container" | "init container" | "sidecar";
}

/** The containers of a pod in the order in which they begin, each with what its status says. */
export function placedContainers(pod: KubernetesObject): readonly PlacedContainer[] {
  const { spec = {}, status = {} } = podShape(pod);
  const withStatus = (
    specs: readonly PodContainer[] = [],
    statuses: readonly StatusOfContainer[] = [],
    isInit: boolean,
  ): readonly PlacedContainer[] =>
    statuses.map((each) => {
      const found = specs.find(({ name }) => name === each.name) ?? { name: each.name };
      const kind = isInit
        ? found.restartPolicy === "Always"
          ? "sidecar"
          : "init container"
        : "container";
      return { spec: found, status: each, kind };
    });
  return [
    ...withStatus(spec.initContainers, status.initContainerStatuses, true),
    ...withStatus(spec.containers, status.containerStatuses, false),
  ];
}
