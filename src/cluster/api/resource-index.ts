import { nearest } from "../../diagnostics/index.ts";
import { splitApiVersion, apiVersionOf } from "../../objects/index.ts";
import { type ApiResource, type ObjectKind, qualifiedName } from "./api-resource.ts";

/**
 * What a cluster serves, for look-ups. Of each group the preferred version comes first.
 *
 * An interface, because each export of the package has its own copy of the types: TypeScript takes copies
 * of a class with private fields for different types, and then a cluster of `keelson/controller` would not
 * do for `keelson/outputs`.
 */
export interface ResourceIndex {
  readonly all: readonly ApiResource[];
  /** Groups whose own server does not answer: a kind of theirs that is not here may yet exist. */
  readonly unavailableGroups: ReadonlySet<string>;
  /** The resource of exactly this version. */
  find(kind: ObjectKind): ApiResource | undefined;
  /** Every version that is served, the preferred one first. */
  versions(group: string, kind: string): readonly ApiResource[];
  /** The preferred version. */
  preferred(group: string, kind: string): ApiResource | undefined;
  /** As people type it: `deploy`, `deployments`, `Deployment`, `deployments.apps`, `deployments.v1.apps`. */
  named(text: string): ApiResource | undefined;
  /** Something like it that is served, to propose for a kind that is not. */
  proposal(kind: ObjectKind): string | undefined;
  /** Every name that a resource can be asked for by, for completions and proposals. */
  names(): readonly string[];
}

/** Indexes what discovery has found. */
export function indexResources(
  resources: readonly ApiResource[],
  unavailableGroups: Iterable<string> = [],
): ResourceIndex {
  return new IndexedResources(resources, unavailableGroups);
}

class IndexedResources implements ResourceIndex {
  readonly all: readonly ApiResource[];
  readonly unavailableGroups: ReadonlySet<string>;
  readonly #byKind = new Map<string, ApiResource[]>();
  readonly #byName = new Map<string, ApiResource[]>();

  constructor(resources: readonly ApiResource[], unavailableGroups: Iterable<string>) {
    this.all = resources;
    this.unavailableGroups = new Set(unavailableGroups);
    for (const resource of resources) {
      push(this.#byKind, kindKey(resource.group, resource.kind), resource);
      const names = new Set([
        resource.plural,
        resource.singular,
        resource.kind.toLowerCase(),
        ...resource.shortNames,
      ]);
      for (const name of names) push(this.#byName, name, resource);
    }
  }

  find({ apiVersion, kind }: ObjectKind): ApiResource | undefined {
    const { group, version } = splitApiVersion(apiVersion);
    return this.versions(group, kind).find((resource) => resource.version === version);
  }

  versions(group: string, kind: string): readonly ApiResource[] {
    return this.#byKind.get(kindKey(group, kind)) ?? [];
  }

  preferred(group: string, kind: string): ApiResource | undefined {
    return this.versions(group, kind)[0];
  }

  named(text: string): ApiResource | undefined {
    const [name = "", ...rest] = text.toLowerCase().split(".");
    const candidates = this.#byName.get(name) ?? [];
    if (rest.length === 0) return candidates[0];
    const group = rest.join(".");
    const [version, ...groupParts] = rest;
    return (
      candidates.find((resource) => resource.group === group) ??
      candidates.find(
        (resource) => resource.version === version && resource.group === groupParts.join("."),
      )
    );
  }

  proposal({ apiVersion, kind }: ObjectKind): string | undefined {
    const { group } = splitApiVersion(apiVersion);
    const sameKind =
      this.versions(group, kind)[0] ?? this.all.find((resource) => resource.kind === kind);
    if (sameKind !== undefined) return `${apiVersionOf(sameKind)} ${sameKind.kind}`;
    const near = nearest(kind, new Set(this.all.map((resource) => resource.kind)));
    const resource = this.all.find((candidate) => candidate.kind === near);
    return resource === undefined ? undefined : `${apiVersionOf(resource)} ${resource.kind}`;
  }

  names(): readonly string[] {
    return [...new Set(this.all.map((resource) => qualifiedName(resource)))];
  }
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [value]);
  else found.push(value);
}
