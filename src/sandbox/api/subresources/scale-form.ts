import { apiVersionOf, type KubernetesObject } from "../../../objects/index.ts";
import type { JsonObject, JsonValue } from "../../../json/index.ts";
import type { PathElement, ReplicasPaths } from "../../../merge/index.ts";
import type { ApiContext } from "../api-context.ts";
import { type ServedResource } from "../served-resource.ts";
import { formatLabels, selectorText } from "../tables/format-cells.ts";
import { at, numberAt, recordAt, textIn } from "../tables/read-fields.ts";

/** The form in which everything that has replicas shows them. */
export interface Scale {
  readonly kind: "Scale";
  readonly apiVersion: "autoscaling/v1";
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly managedFields?: readonly unknown[];
  };
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly selector?: string };
}

export interface ShownScale {
  readonly scale: Scale;
  /** Whether the object says how many replicas it wants. */
  readonly isSet: boolean;
}

export function scaleOf(object: KubernetesObject, resource: ServedResource): ShownScale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = at(object, specPath(resource));
  const replicas = Number(numberAt(object, specPath(resource)));
  const selector = selectorOf(object, resource);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    isSet: wanted !== undefined,
    scale: {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: metadata as Scale["metadata"],
      spec: replicas === 0 ? {} : { replicas },
      status: {
        replicas: Number(numberAt(object, statusPath(resource))),
        ...(selector === "" ? {} : { selector }),
      },
    },
  };
}

export function withReplicas(
  object: KubernetesObject,
  resource: ServedResource,
  replicas: number,
): KubernetesObject {
  const words = specPath(resource).split(".");
  return setAt(object as unknown as JsonObject, words, replicas) as unknown as KubernetesObject;
}

/** Where every version of a resource keeps its replicas, in the words of managed fields. */
export function replicasPathsOf({ registry }: ApiContext, resource: ServedResource): ReplicasPaths {
  const versions = registry.all().filter((each) => each.storageKey === resource.storageKey);
  return new Map(versions.map((each) => [apiVersionOf(each), fieldPath(each)]));
}

function fieldPath(resource: ServedResource): readonly PathElement[] | null {
  if (resource.custom !== undefined && resource.custom.scale === undefined) return null;
  return specPath(resource)
    .split(".")
    .map((word): PathElement => `f:${word}`);
}

function specPath({ custom }: ServedResource): string {
  return custom?.scale?.specReplicas.replace(/^\./, "") ?? "spec.replicas";
}

function statusPath({ custom }: ServedResource): string {
  return custom?.scale?.statusReplicas.replace(/^\./, "") ?? "status.replicas";
}

function selectorOf(object: KubernetesObject, { custom, storageKey }: ServedResource): string {
  if (custom !== undefined) {
    const path = custom.scale?.labelSelector;
    return path === undefined ? "" : textIn(object, path.replace(/^\./, ""));
  }
  const selector = recordAt(object, "spec.selector");
  if (storageKey !== "/replicationcontrollers") return selectorText(selector);
  return Object.keys(selector).length === 0 ? "" : formatLabels(selector);
}

function setAt(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [word = "", ...rest] = path;
  if (rest.length === 0) return { ...object, [word]: value };
  const child = object[word];
  const inner = typeof child === "object" && child !== null ? (child as JsonObject) : {};
  return { ...object, [word]: setAt(inner, rest, value) };
}
