import type { SourceRange } from "../diagnostics/index.ts";
import type { InstanceId } from "./name-book.ts";
import type { ObjectNaming, ProgramResourceKind } from "./program-graph.ts";
import type { ResourceOptions } from "./resource-options.ts";
import type { KubernetesKind } from "./k8s/kubernetes-kind.ts";
import type { ResourceHandle } from "./provisioned/index.ts";

/** One place among the properties of a resource that refers to another. */
export interface Reference {
  /** The name of the resource that is referred to. */
  readonly to: string;
  /** The property that holds the reference, such as `data.BUCKET`. */
  readonly at: string;
  /** The property of the other resource that is used, such as `arn`; empty for the whole. */
  readonly path: string;
}

/** What the evaluation knows of one allocated resource. */
export interface ResourceRecord extends ResourceHandle {
  readonly type: string;
  readonly kind: ProgramResourceKind;
  readonly package: string;
  readonly providerType: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** What its properties refer to. */
  readonly references: readonly Reference[];
  /** Its own options, and those of the composites that allocate it. */
  readonly options: ResourceOptions;
  /** What all that it allocates inherits. */
  readonly handsOn: ResourceOptions;
  /** The paths of properties that are secret, by the class and by the options. */
  readonly secret: readonly string[];
  /** Full names that it had before. */
  readonly aliases: readonly string[];
  readonly explicitId?: string | undefined;
  readonly automaticId?: number | undefined;
  readonly globalId?: string | undefined;
  readonly instance?: InstanceId | undefined;
  /** What was being constructed when it was allocated. */
  readonly frame: AllocationFrame | undefined;
  readonly source: SourceRange;
  /** The fields that its constructors set, beside the properties. */
  readonly fields: object;
  readonly object?: KubernetesObjectRecord | undefined;
}

/** What a Kubernetes resource has besides. */
export interface KubernetesObjectRecord {
  readonly kind: KubernetesKind;
  /** Undefined where the program names the object itself. */
  readonly name: string | undefined;
  readonly isGenerated: boolean;
  readonly naming: ObjectNaming;
}

/** One construction under way; it gets its resource when the constructor of `Resource` is reached. */
export interface AllocationFrame {
  readonly outer: AllocationFrame | undefined;
  resource: ResourceRecord | undefined;
}

const records = new WeakMap<object, ResourceRecord>();

/** Remembers what stands behind a resource as the program sees it. */
export function rememberRecord(resource: object, record: ResourceRecord): void {
  records.set(resource, record);
}

/** The record of a resource; undefined for anything else. */
export function recordOf(value: unknown): ResourceRecord | undefined {
  return typeof value === "object" && value !== null ? records.get(value) : undefined;
}

/** The resource whose constructor, or a function called by it, allocated this one. */
export function allocatorOf(frame: AllocationFrame | undefined): ResourceRecord | undefined {
  for (let at = frame; at !== undefined; at = at.outer) {
    if (at.resource !== undefined) return at.resource;
  }
  return undefined;
}
