import type { ApiResource } from "./api-resource.ts";

interface AggregatedList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      /** `Stale` when the server behind the group did not answer. */
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly singularResource?: string;
        readonly verbs?: readonly string[];
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly subresources?: readonly {
          readonly subresource: string;
          readonly verbs?: readonly string[];
        }[];
      }[];
    }[];
  }[];
}

export interface AggregatedPart {
  readonly resources: readonly ApiResource[];
  /** Groups whose own server did not answer. */
  readonly unavailable: readonly string[];
}

/** Reads an APIGroupDiscoveryList; undefined when it is something else. */
export function readAggregated(value: unknown): AggregatedPart | undefined {
  const list = value as AggregatedList | null;
  if (list?.kind !== "APIGroupDiscoveryList" || list.items === undefined) return undefined;
  const resources: ApiResource[] = [];
  const unavailable = new Set<string>();
  for (const group of list.items) {
    for (const { version, freshness, resources: found = [] } of group.versions ?? []) {
      if (freshness === "Stale") unavailable.add(group.metadata?.name ?? "");
      for (const each of found) {
        // An aggregated API server that is down leaves resources without a kind.
        const kind = each.responseKind?.kind ?? "";
        if (kind === "") continue;
        resources.push({
          group: group.metadata?.name ?? "",
          version,
          kind,
          plural: each.resource,
          singular: each.singularResource ?? kind.toLowerCase(),
          namespaced: each.scope === "Namespaced",
          verbs: each.verbs ?? [],
          shortNames: each.shortNames ?? [],
          categories: each.categories ?? [],
          subresources: (each.subresources ?? []).map(({ subresource, verbs = [] }) => ({
            name: subresource,
            verbs,
          })),
        });
      }
    }
  }
  return { resources, unavailable: [...unavailable] };
}
