import type { KubernetesObject, SelectorExpression } from "../../objects/index.ts";

/** A pod as the server stores it: defaults are in place. */
export interface Pod extends KubernetesObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly restartPolicy?: "Always" | "OnFailure" | "Never";
  readonly activeDeadlineSeconds?: number;
  readonly terminationGracePeriodSeconds?: number;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly [field: string]: unknown;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  /** Of init containers only: `Always` makes a sidecar. */
  readonly restartPolicy?: string;
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly EnvironmentSource[];
  readonly ports?: readonly ContainerPort[];
  readonly resources?: Resources;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
  readonly [field: string]: unknown;
}

/** When a probe begins, and how often it must succeed. */
export interface Probe {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

export interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

interface KeyReference {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface EnvironmentSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

interface FileItems {
  readonly items?: readonly { readonly key: string }[];
  readonly optional?: boolean;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: FileItems & { readonly name?: string };
  readonly secret?: FileItems & { readonly secretName?: string };
  readonly projected?: {
    readonly sources?: readonly {
      readonly configMap?: FileItems & { readonly name?: string };
      readonly secret?: FileItems & { readonly name?: string };
    }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: unknown;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
    };
  };
  readonly [field: string]: unknown;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly SelectorExpression[];
  readonly matchFields?: readonly SelectorExpression[];
}

export interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly PodCondition[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly hostIP?: string;
  readonly startTime?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly [field: string]: unknown;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: Terminated;
}

export interface Terminated {
  readonly exitCode: number;
  readonly reason?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly containerID?: string;
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: PodSpec;
}
