import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import type { SourcedObject } from "../objects/index.ts";
import type {
  DiscoveryStrategy,
  Link,
  PodReadiness,
  PortForward,
  TriggerMode,
} from "./component-options.ts";

/** One object as it was given to assembly. */
export interface GivenObject extends SourcedObject {
  /** The same object given again replaces this one instead of being an error. */
  readonly allowDuplicates?: boolean;
  /** Where it was handed over, when that is another place than where it is written. */
  readonly givenAt?: SourceRange;
}

/** What the author said about the objects, in the order in which it was said. */
export type Directive =
  | ComponentDirective
  | ImageDirective
  | ImagePathDirective
  | LocalDirective
  | NameWorkloadsDirective
  | WorkloadKindDirective;

/** Sets options of a component, renames it, or makes one of objects alone: `k8s_resource`. */
export interface ComponentDirective {
  readonly kind: "component";
  /** An identifier of a workload, or the current name of a component. */
  readonly workload?: string;
  readonly newName?: string;
  /** Identifiers of objects that belong to the component. */
  readonly objects?: readonly string[];
  readonly portForwards?: readonly PortForward[];
  readonly extraPodSelectors?: readonly Readonly<Record<string, string>>[];
  readonly dependsOn?: readonly string[];
  readonly links?: readonly Link[];
  readonly labels?: readonly string[];
  readonly triggerMode?: TriggerMode;
  readonly autoInit?: boolean;
  readonly podReadiness?: PodReadiness;
  readonly discoveryStrategy?: DiscoveryStrategy;
  readonly source?: SourceRange;
}

/** Declares that objects of a kind are workloads: `k8s_kind`. */
export interface WorkloadKindDirective {
  readonly kind: "workload-kind";
  readonly objectKind: string;
  readonly apiVersion?: string;
  readonly imageJsonPaths?: readonly string[];
  readonly imageObject?: ImageObject;
  readonly podReadiness?: PodReadiness;
  readonly source?: SourceRange;
}

/** An image that an object spells as two fields. */
export interface ImageObject {
  readonly jsonPath: string;
  readonly repoField: string;
  readonly tagField: string;
}

/** Says where some objects name images: `k8s_image_json_path`. Each given part must match. */
export interface ImagePathDirective {
  readonly kind: "image-path";
  readonly jsonPaths: readonly string[];
  readonly apiVersion?: string;
  readonly objectKind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly source?: SourceRange;
}

/** Gives every workload its name: `workload_to_resource_function`. The last one counts. */
export interface NameWorkloadsDirective {
  readonly kind: "name-workloads";
  /** The name, or what was wrong with the function. */
  readonly nameOf: (workload: WorkloadId) => string | Diagnostic;
  readonly source?: SourceRange;
}

/** A workload as its object writes it: the core group is `""`, the kind is in its own case. */
export interface WorkloadId {
  readonly name: string;
  readonly kind: string;
  readonly namespace: string;
  readonly group: string;
}

/** An image that is built: `docker_build`, `custom_build`. How, only the `images` layer knows. */
export interface ImageDirective {
  readonly kind: "image";
  /** A repository, or one with a tag, which then must match exactly. */
  readonly reference: string;
  /** Whether values of environment variables count as uses of it. */
  readonly matchInEnvVars?: boolean;
  /** Declared images that this one is built from. */
  readonly baseImages?: readonly string[];
  readonly source?: SourceRange;
}

/** A component without objects, which runs something on this machine: `local_resource`. */
export interface LocalDirective {
  readonly kind: "local";
  readonly name: string;
  /** It puts objects into the cluster, so options of workloads may be set for it by its name. */
  readonly deploys?: boolean;
  readonly dependsOn?: readonly string[];
  readonly links?: readonly Link[];
  readonly labels?: readonly string[];
  readonly triggerMode?: TriggerMode;
  readonly autoInit?: boolean;
  readonly source?: SourceRange;
}
