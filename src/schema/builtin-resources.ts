import { splitApiVersion } from "../objects/api-version.ts";
import { discovery } from "./data/discovery.ts";

/** One resource as discovery lists it. */
export interface ResourceDescription {
  readonly group: string;
  readonly version: string;
  /** The plural name that paths carry. */
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceDescription[];
}

/** A part of a resource with a path of its own, such as `status` or `scale`. */
export interface SubresourceDescription {
  readonly name: string;
  readonly kind: string;
  /** The group and version of that kind, where they are not the resource's own. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** What a default kube-apiserver serves, in the order of its discovery. */
export function builtinResources(): readonly ResourceDescription[] {
  cached ??= (JSON.parse(discovery) as readonly PackedGroupVersion[]).flatMap(unpackGroupVersion);
  return cached;
}

let cached: readonly ResourceDescription[] | undefined;

interface PackedGroupVersion {
  readonly groupVersion: string;
  readonly resources: readonly PackedResource[];
}

interface PackedResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly PackedResource[];
}

function unpackGroupVersion(packed: PackedGroupVersion): readonly ResourceDescription[] {
  const { group, version } = splitApiVersion(packed.groupVersion);
  return packed.resources.map((resource) => ({
    group,
    version,
    resource: resource.name,
    kind: resource.kind,
    singular: resource.singularName ?? "",
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    namespaced: resource.namespaced,
    verbs: resource.verbs.split(" "),
    subresources: (resource.subresources ?? []).map(unpackSubresource),
  }));
}

function unpackSubresource(packed: PackedResource): SubresourceDescription {
  return {
    name: packed.name,
    kind: packed.kind,
    ...(packed.group === undefined ? {} : { group: packed.group }),
    ...(packed.version === undefined ? {} : { version: packed.version }),
    verbs: packed.verbs.split(" "),
  };
}
