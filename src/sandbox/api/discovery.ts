import { apiVersionOf } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import { compareVersions } from "./custom-resources.ts";
import type { ApiRequest, CompleteResponse } from "./request.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import { type ServedResource } from "./served-resource.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** What is served, in the form that the client asks for; undefined for other paths. */
export function discover(
  registry: ResourceRegistry,
  request: ApiRequest,
): CompleteResponse | undefined {
  const words = request.path.split("/").filter((word) => word !== "");
  const [prefix, first, second, ...rest] = words;
  if (rest.length > 0) return undefined;
  if (prefix === "api" && second === undefined) {
    if (first === undefined)
      return wantsAggregated(request) ? aggregated(registry, true) : coreVersions();
    return resourceList(registry, "", first);
  }
  if (prefix !== "apis") return undefined;
  if (first === undefined)
    return wantsAggregated(request) ? aggregated(registry, false) : groupList(registry);
  if (second === undefined) return group(registry, first);
  return resourceList(registry, first, second);
}

function wantsAggregated({ accept }: ApiRequest): boolean {
  return (
    accept.includes("g=apidiscovery.k8s.io") &&
    accept.includes("v=v2") &&
    accept.includes("as=APIGroupDiscoveryList")
  );
}

/** Texts of what is served, until something else is: every client asks for them, and most for nothing else new. */
const kept = new WeakMap<readonly ServedResource[], Map<boolean, CompleteResponse>>();

function aggregated(registry: ResourceRegistry, core: boolean): CompleteResponse {
  const all = registry.all();
  const texts = kept.get(all) ?? new Map<boolean, CompleteResponse>();
  kept.set(all, texts);
  const text = texts.get(core) ?? writeAggregated(registry, core);
  texts.set(core, text);
  return text;
}

function writeAggregated(registry: ResourceRegistry, core: boolean): CompleteResponse {
  const groups = [...groupVersions(registry)].filter(([name]) => (name === "") === core);
  const items = groups.map(([name, versions]) => ({
    metadata: name === "" ? { creationTimestamp: null } : { name, creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      freshness: "Current",
      resources: resourcesOf(registry, name, version).map(aggregatedResource),
    })),
  }));
  const body = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items,
  };
  return answer(body, aggregatedType);
}

function aggregatedResource(resource: ServedResource): unknown {
  const { group: groupName, version, kind } = resource;
  return {
    resource: resource.resource,
    responseKind: { group: groupName, version, kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.subresources.length === 0
      ? {}
      : {
          subresources: resource.subresources.map((part) => ({
            subresource: part.name,
            responseKind: {
              group: part.group ?? groupName,
              version: part.version ?? version,
              kind: part.kind,
            },
            verbs: part.verbs,
          })),
        }),
  };
}

function coreVersions(): CompleteResponse {
  return answer({
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [],
  });
}

function groupList(registry: ResourceRegistry): CompleteResponse {
  const names = [...groupVersions(registry).keys()].filter((name) => name !== "");
  const groups = names.map((name) => groupBody(registry, name));
  return answer({ kind: "APIGroupList", apiVersion: "v1", groups });
}

function group(registry: ResourceRegistry, name: string): CompleteResponse | undefined {
  if (!groupVersions(registry).has(name)) return undefined;
  return answer({ kind: "APIGroup", apiVersion: "v1", ...groupBody(registry, name) });
}

function groupBody(registry: ResourceRegistry, name: string): Readonly<Record<string, unknown>> {
  const versions = (groupVersions(registry).get(name) ?? []).map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(
  registry: ResourceRegistry,
  groupName: string,
  version: string,
): CompleteResponse | undefined {
  if (!registry.hasGroupVersion(groupName, version)) return undefined;
  const resources = resourcesOf(registry, groupName, version).flatMap((resource) => [
    {
      name: resource.resource,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: resource.verbs,
      ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    },
    ...resource.subresources.map((part) => ({
      name: `${resource.resource}/${part.name}`,
      singularName: "",
      namespaced: resource.namespaced,
      ...(part.group === undefined ? {} : { group: part.group }),
      ...(part.version === undefined ? {} : { version: part.version }),
      kind: part.kind,
      verbs: part.verbs,
    })),
  ]);
  const groupVersion = apiVersionOf({ group: groupName, version });
  return answer({ kind: "APIResourceList", apiVersion: "v1", groupVersion, resources });
}

/** Groups in the order they are served, each with its versions, the preferred one first. */
export function groupVersions(registry: ResourceRegistry): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { group: name, version } of registry.all()) {
    const versions = groups.get(name);
    if (versions === undefined) groups.set(name, [version]);
    else if (!versions.includes(version)) versions.push(version);
  }
  for (const versions of groups.values()) versions.sort(compareVersions);
  return groups;
}

function resourcesOf(
  registry: ResourceRegistry,
  groupName: string,
  version: string,
): readonly ServedResource[] {
  return registry.all().filter((each) => each.group === groupName && each.version === version);
}

function answer(body: unknown, contentType = "application/json"): CompleteResponse {
  return { kind: "complete", status: 200, contentType, body: `${stringifyJson(body)}\n` };
}
