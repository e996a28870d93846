import type { ApiResource } from "./api-resource.ts";

interface AggregatedList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
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

/** Reads an APIGroupDiscoveryList; undefined when it is something else. */
export function readAggregated(value: unknown): readonly ApiResource[] | undefined {
  const list = value as AggregatedList | null;
  if (list?.kind !== "APIGroupDiscoveryList") return undefined;
  const resources: ApiResource[] = [];
  for (const group of list.items ?? []) {
    for (const { version, resources: found = [] } of group.versions ?? []) {
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
  return resources;
}
