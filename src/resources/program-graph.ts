import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { ResourceTimeouts } from "./resource-options.ts";

/** What a program asks for, as plain data: it can cross threads and be written to a file. */
export interface ProgramGraph {
  readonly project: string;
  /** `staging`, or `staging:acmecorp` with the namespace of a multi-instance environment. */
  readonly env: string;
  /** The Kubernetes namespace that the project's settings name for objects without one. */
  readonly namespace?: string | undefined;
  /** In the order of their allocation. */
  readonly resources: readonly ProgramResource[];
  /** The components of its workloads, where the program speaks of any. */
  readonly components: readonly ProgramComponent[];
  /** Every file that the result depends on: modules and settings, as absolute paths. */
  readonly files: readonly string[];
  /** Warnings, such as names that rest on automatic numbers. */
  readonly notes: readonly Diagnostic[];
}

/** A workload with what goes with it, as far as plain data can say it. */
export interface ProgramComponent {
  readonly name: string;
  /** Whether all other components wait for it. */
  readonly comesFirst: boolean;
  /** The name of the resource that is its workload. */
  readonly workload?: string | undefined;
  /** Names of its resources. */
  readonly resources: readonly string[];
  /** Names of the components that must be ready first. */
  readonly dependsOn: readonly string[];
  readonly portForwards: readonly unknown[];
  readonly links: readonly unknown[];
  readonly labels: readonly string[];
}

/**
 * How a resource comes to be: an object of the Kubernetes API, something that the provider of a
 * package makes, or nothing of its own, because its class only allocates others.
 */
export type ProgramResourceKind = "kubernetes" | "provider" | "composite";

export interface ProgramResource {
  /** The full, unique name, such as `dev:shop:main/Shop:keelson:k8s/ConfigMap#settings`. */
  readonly name: string;
  /** The type token `<package>:<module>/<Class>` of the resource's own class. */
  readonly type: string;
  readonly kind: ProgramResourceKind;
  /** The package whose provider makes it. */
  readonly package: string;
  /** The type token that its provider knows it by: of the class itself, or of the one it extends. */
  readonly providerType: string;
  /** Of a Kubernetes resource the whole object, with apiVersion, kind and metadata. */
  readonly inputs: DeferredJson;
  readonly options: ProgramResourceOptions;
  readonly edges: readonly ProgramEdge[];
  /** How the object of a Kubernetes resource gets its name. */
  readonly objectName?: ProgramObjectName | undefined;
  /** The id as the program gave it, without the ids of the instances around it. */
  readonly explicitId?: string | undefined;
  /** Present where the name rests on the order of allocation. */
  readonly automaticId?: number | undefined;
  readonly globalId?: string | undefined;
  /** The resource that allocated it. */
  readonly parent?: string | undefined;
  /** Full names that it had before. */
  readonly aliases: readonly string[];
  /** Where the program allocates it. */
  readonly source: SourceRange;
}

export interface ProgramEdge {
  /** The name of the resource that is waited for. */
  readonly to: string;
  /** Why, in words for the user. */
  readonly reason: string;
}

/**
 * `fixed`: the name stays. `contentsHash` and `random`: the name in `inputs` is only the first part,
 * and a change of the contents makes an object with another suffix.
 */
export type ObjectNaming = "fixed" | "contentsHash" | "random";

export interface ProgramObjectName {
  readonly naming: ObjectNaming;
  /** True where the program did not set `metadata.name`, so that a replacement may change it. */
  readonly isGenerated: boolean;
}

/** The options of a resource; what it depends on is among its edges. */
export interface ProgramResourceOptions {
  readonly protect?: boolean | undefined;
  readonly deletionPolicy?: "delete" | "retain" | undefined;
  readonly ignoreChanges?: readonly string[] | undefined;
  readonly replaceOnChanges?: readonly string[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
  readonly timeouts?: ResourceTimeouts | undefined;
  readonly secret?: readonly string[] | undefined;
}

/** JSON in which a value that is not known yet stands as a {@link DeferredValue}. */
export type DeferredJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | DeferredValue
  | readonly DeferredJson[]
  | { readonly [key: string]: DeferredJson };

export interface DeferredValue {
  /** What the evaluation is asked with once the resources below are there. */
  readonly $deferred: number;
  readonly from: readonly {
    readonly resource: string;
    readonly path: readonly (string | number)[];
  }[];
  /** The value in words, for a plan. */
  readonly text: string;
}

/** What is known of resources, by their name: of a Kubernetes resource the live object. */
export type KnownOutputs = ReadonlyMap<string, JsonValue>;

/** Tells a value that is not known yet from the JSON around it. */
export function isDeferredValue(value: unknown): value is DeferredValue {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "$deferred");
}
