import { builtinResources, builtinSchemas } from "../../schema/index.ts";
import { customResources } from "./custom-resources.ts";
import { metricsResources } from "./metrics/metrics-resources.ts";
import type { ServedResource } from "./served-resource.ts";
import type { KubernetesObject } from "../../objects/index.ts";

/** Resources that two groups show of one table. */
const sharedTables: Readonly<Record<string, string>> = { "events.k8s.io/events": "/events" };

/** Every resource that is served: the built-in ones, and those of established definitions. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ServedResource>();
  readonly #builtin: readonly ServedResource[];
  readonly #customByDefinition = new Map<string, readonly ServedResource[]>();
  #all: readonly ServedResource[] | undefined;
  #stored: readonly ServedResource[] | undefined;
  #byStorageKey: ReadonlyMap<string, readonly ServedResource[]> | undefined;

  constructor() {
    this.#builtin = [...servedBuiltins(), ...metricsResources];
    for (const resource of this.#builtin) this.#byPath.set(pathKey(resource), resource);
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byPath.get(pathKey({ group, version, resource }));
  }

  /** The resource of a kind, in the version of an apiVersion. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    return this.all().find(
      (each) => each.kind === kind && each.group === group && each.version === version,
    );
  }

  /** One served version of each stored resource: the stored one. */
  stored(): readonly ServedResource[] {
    this.#stored ??= this.all().filter((each) => each.version === each.storageVersion);
    return this.#stored;
  }

  findStored(storageKey: string): ServedResource | undefined {
    return this.versionsOf(storageKey).find((each) => each.version === each.storageVersion);
  }

  /** Every resource that shows the objects of one table. */
  versionsOf(storageKey: string): readonly ServedResource[] {
    this.#byStorageKey ??= Map.groupBy(this.all(), (each) => each.storageKey);
    return this.#byStorageKey.get(storageKey) ?? [];
  }

  all(): readonly ServedResource[] {
    this.#all ??= [...this.#builtin, ...[...this.#customByDefinition.values()].flat()];
    return this.#all;
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((each) => each.group === group && each.version === version);
  }

  hasGroup(group: string): boolean {
    return this.all().some((each) => each.group === group);
  }

  /** Begins, changes or ends the serving of a definition's versions. */
  setDefinition(name: string, definition: KubernetesObject | undefined): void {
    for (const resource of this.#customByDefinition.get(name) ?? []) {
      this.#byPath.delete(pathKey(resource));
    }
    this.#customByDefinition.delete(name);
    const resources = definition === undefined ? [] : customResources(definition);
    if (resources.length > 0) this.#customByDefinition.set(name, resources);
    for (const resource of resources) this.#byPath.set(pathKey(resource), resource);
    this.#all = undefined;
    this.#stored = undefined;
    this.#byStorageKey = undefined;
  }
}

function servedBuiltins(): readonly ServedResource[] {
  const schemas = builtinSchemas();
  const storageVersions = new Map<string, string>();
  const descriptions = builtinResources();
  for (const { group, resource, version } of descriptions) {
    const key = tableOf(group, resource);
    if (!storageVersions.has(key)) storageVersions.set(key, version);
  }
  return descriptions.map((description) => {
    const { group, resource, version, kind } = description;
    const storageKey = tableOf(group, resource);
    return {
      ...description,
      listKind: `${kind}List`,
      storageKey,
      storageVersion: storageVersions.get(storageKey) ?? version,
      // Expanded when first asked for, so that opening a sandbox costs nothing.
      get schema() {
        return schemas.get({ group, version, kind });
      },
    };
  });
}

function tableOf(group: string, resource: string): string {
  const key = `${group}/${resource}`;
  return sharedTables[key] ?? key;
}

function pathKey(path: {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}): string {
  return `${path.group}/${path.version}/${path.resource}`;
}
