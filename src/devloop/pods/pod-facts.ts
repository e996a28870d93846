import type { KubernetesObject } from "../../objects/index.ts";

interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly restartCount?: number;
  readonly ready?: boolean;
  readonly state?: {
    readonly running?: object;
    readonly terminated?: object;
    readonly waiting?: object;
  };
}

interface PodShape {
  readonly spec?: {
    readonly containers?: readonly {
      readonly name: string;
      readonly image?: string;
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

const shapeOf = (pod: KubernetesObject): PodShape => pod as unknown as PodShape;

/** One run of one container. */
export interface RunningContainer {
  readonly container: string;
  readonly restarts: number;
  readonly isRunning: boolean;
}

/** The containers of a pod that have written, or could have. */
export function containerRuns(pod: KubernetesObject): readonly RunningContainer[] {
  const { containerStatuses = [], initContainerStatuses = [] } = shapeOf(pod).status ?? {};
  return [...initContainerStatuses, ...containerStatuses].flatMap(
    ({ name, restartCount = 0, state }) =>
      state?.running === undefined && state?.terminated === undefined
        ? []
        : [{ container: name, restarts: restartCount, isRunning: state.running !== undefined }],
  );
}

/** The containers of a pod that were made of an image. */
export function containersOf(
  pod: KubernetesObject,
  isImage: (image: string) => boolean,
): readonly string[] {
  return (shapeOf(pod).spec?.containers ?? [])
    .filter(({ image = "" }) => isImage(image))
    .map(({ name }) => name);
}

export function containerNames(pod: KubernetesObject): readonly string[] {
  return (shapeOf(pod).spec?.containers ?? []).map(({ name }) => name);
}

/** The number of a port that a pod declares, by its number or its name. */
export function podPort(pod: KubernetesObject, port: number | string): number | undefined {
  if (typeof port === "number") return port;
  const ports = (shapeOf(pod).spec?.containers ?? []).flatMap(({ ports: all = [] }) => all);
  return ports.find(({ name }) => name === port)?.containerPort;
}

/** The first port that a pod declares. */
export function firstPort(pod: KubernetesObject): number | undefined {
  return shapeOf(pod).spec?.containers?.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
}

export function isUsable(pod: KubernetesObject): boolean {
  return (
    shapeOf(pod).status?.phase === "Running" && pod.metadata["deletionTimestamp"] === undefined
  );
}
