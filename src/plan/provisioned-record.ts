import { isJsonObject, type JsonObject } from "../json/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import type { ResourceTimeouts } from "../resources/index.ts";

/** The object that remembers something outside of Kubernetes. */
export const provisionedApiVersion = "keelson.dev/v1";
export const provisionedKind = "Provisioned";

/** The annotation that remembers what a resource waits for: it is deleted before that. */
export const waitsForAnnotation = "keelson.dev/waits-for";

/**
 * How far a resource is. The phase is written before its provider is called and after it has
 * answered, so that a run that is killed in between leaves a trace.
 */
export type ProvisionedPhase =
  | "Creating"
  | "Ready"
  | "Updating"
  | "Replacing"
  | "Deleting"
  | "Failed";

/** What is wished for. */
export interface ProvisionedSpec {
  readonly name: string;
  readonly type: string;
  readonly provider: string;
  readonly inputs: JsonObject;
  readonly deletionPolicy?: "delete" | "retain" | undefined;
  readonly protect?: boolean | undefined;
  /** Inputs and outputs whose values are kept in a Secret. */
  readonly secret?: readonly string[] | undefined;
  /** How long its provider may take; remembered, because a delete comes when the program forgot it. */
  readonly timeouts?: ResourceTimeouts | undefined;
}

/** What is there. */
export interface ProvisionedStatus {
  readonly phase: ProvisionedPhase;
  readonly id?: string | undefined;
  /** The inputs that it was last made or changed with. */
  readonly inputs?: JsonObject | undefined;
  readonly outputs?: JsonObject | undefined;
  readonly message?: string | undefined;
  /** Outputs that somebody else changed, which the next apply sets right. */
  readonly drifted?: readonly string[] | undefined;
  /** What it replaced and what is still to be deleted. */
  readonly replaced?: readonly { readonly id: string; readonly inputs: JsonObject }[] | undefined;
}

export interface ProvisionedRecord {
  readonly spec: ProvisionedSpec;
  readonly status?: ProvisionedStatus | undefined;
}

export function isRecordIdentity({ group, kind }: ObjectIdentity): boolean {
  return kind === provisionedKind && group === "keelson.dev";
}

export function isProvisionedObject({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === provisionedKind && apiVersion === provisionedApiVersion;
}

/** Reads a record; what somebody else made of the object counts as nothing. */
export function recordOfObject(object: KubernetesObject): ProvisionedRecord | undefined {
  const { spec, status } = object;
  if (!isJsonObject(spec) || !isJsonObject(spec["inputs"])) return undefined;
  if (typeof spec["name"] !== "string" || typeof spec["type"] !== "string") return undefined;
  return {
    spec: spec as unknown as ProvisionedSpec,
    status: isJsonObject(status) ? (status as unknown as ProvisionedStatus) : undefined,
  };
}

/** The record with what it now says. */
export function objectWithRecord(
  object: KubernetesObject,
  { spec, status }: ProvisionedRecord,
): KubernetesObject {
  const { name, namespace, annotations, labels } = object.metadata;
  return {
    apiVersion: provisionedApiVersion,
    kind: provisionedKind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
    },
    spec: withoutUndefined(spec as unknown as JsonObject),
    ...(status === undefined ? {} : { status: withoutUndefined(status as unknown as JsonObject) }),
  };
}

function withoutUndefined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
