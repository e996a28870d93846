import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import { fieldAt, isJsonObject, type JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { DeferredJson, KnownOutputs, ProgramResource } from "../resources/index.ts";
import {
  type Bundle,
  type BundleReference,
  type BundleResource,
  configHashAnnotation,
} from "./bundle.ts";
import type { BundlePlugin } from "./bundle-plugin.ts";
import type { ReferenceWorld } from "./bundle-world.ts";
import { configHash, type ConfigObject, configOf } from "./config-hash.ts";
import { exampleOf, fillResource, objectOf } from "./describe-resource.ts";
import { namesIn, withReferences } from "./reference-text.ts";
import { referenceValues } from "./reference-value.ts";

/** A value of a bundle's object that is known only when other objects are there. */
type Deferred =
  | { readonly kind: "text"; readonly resource: BundleResource; readonly text: string }
  /** A field of what a plugin makes. */
  | { readonly kind: "field"; readonly resource: BundleResource; readonly field: string }
  | { readonly kind: "hash"; readonly config: readonly ConfigObject[] };

/** What is known of the cluster when a value is computed. */
export interface DeferredWorld extends ReferenceWorld {
  readonly digestOf: (kind: "Secret" | "ConfigMap", name: string) => string | undefined;
  readonly hash: (text: string) => string;
}

/** The resources of a bundle as a planner takes them, and how their values are computed later. */
export interface BundleGraph {
  readonly namespace: string;
  /** The numbers of its values: from the first one on, so many. */
  readonly first: number;
  readonly count: number;
  readonly resources: readonly ProgramResource[];
  /** The references whose values one deferred value needs, with the names of their resources. */
  readonly needs: (deferred: number) => {
    readonly references: readonly (BundleReference & { readonly from: string })[];
    readonly config: readonly ConfigObject[];
  };
  /** Computes a value; the message says why there is none. */
  readonly resolve: (
    deferred: number,
    outputs: KnownOutputs,
    world: DeferredWorld,
  ) =>
    | { readonly kind: "value"; readonly value: JsonValue }
    | { readonly kind: "problem"; readonly message: string };
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A bundle without its controller: each resource is a node that waits for those it refers to, and what
 * it takes from them is filled in when they are ready. What they say is read as the controller reads it.
 */
export function bundleGraph(
  bundle: Bundle,
  plugin: (name: string) => BundlePlugin | undefined,
  place: {
    /** The number of the first value that is known later; several bundles count on. */
    readonly first: number;
    readonly sourceOf: (resource: number) => SourceRange;
  },
): BundleGraph {
  const deferred: Deferred[] = [];
  const diagnostics: Diagnostic[] = [];
  const nameOf = (resource: string): string =>
    `${bundle.namespace}/${bundle.object.metadata.name ?? ""}/${resource}`;
  const byObject = new Map(
    bundle.resources.flatMap((resource) => {
      const object = objectOf(resource, plugin);
      return object === undefined
        ? []
        : [[`${object.kind} ${object.name}`, resource.name] as const];
    }),
  );
  const resources = bundle.resources.map((resource, index): ProgramResource => {
    const source = place.sourceOf(index);
    const build = new GraphBuilder(
      bundle,
      resource,
      { deferred, first: place.first },
      nameOf,
      byObject,
    );
    const made = build.object(plugin);
    if (typeof made === "string")
      diagnostics.push({
        code: "bundle.unknown-plugin",
        severity: "error",
        summary: `${bundle.object.kind} ${bundle.object.metadata.name ?? ""}: ${resource.name}: ${made}`,
        source,
      });
    const inputs: DeferredJson = typeof made === "string" ? {} : made;
    const found = fieldAt(inputs, "kind");
    const kind = typeof found === "string" ? found : "";
    return {
      name: nameOf(resource.name),
      type: `bundle:${bundle.object.metadata.name ?? ""}/${kind}`,
      kind: "kubernetes",
      package: "keelson",
      providerType: `keelson:k8s/${kind}`,
      inputs,
      options: {},
      explicitId: resource.name,
      aliases: [],
      source,
      edges: [
        ...resource.waitsFor.map((to) => ({
          to: nameOf(to),
          reason: `${resource.name} refers to ${to}`,
        })),
        ...build.configEdges(),
      ],
    };
  });
  return {
    namespace: bundle.namespace,
    first: place.first,
    count: deferred.length,
    resources,
    diagnostics,
    needs: (index) => {
      const found = deferred[index - place.first];
      if (found?.kind === "hash") return { references: [], config: found.config };
      const own = found?.resource.references ?? [];
      return {
        references: own.map((each) => ({ ...each, from: nameOf(each.resource) })),
        config: [],
      };
    },
    resolve: (index, outputs, world) =>
      resolveDeferred(
        bundle,
        deferred[index - place.first],
        (name) => outputs.get(nameOf(name)),
        world,
        plugin,
      ),
  };
}

class GraphBuilder {
  readonly #bundle: Bundle;
  readonly #resource: BundleResource;
  readonly #values: { readonly deferred: Deferred[]; readonly first: number };
  readonly #nameOf: (resource: string) => string;
  readonly #byObject: ReadonlyMap<string, string>;
  #config: readonly ConfigObject[] = [];

  constructor(
    bundle: Bundle,
    resource: BundleResource,
    values: { readonly deferred: Deferred[]; readonly first: number },
    nameOf: (resource: string) => string,
    byObject: ReadonlyMap<string, string>,
  ) {
    this.#bundle = bundle;
    this.#resource = resource;
    this.#values = values;
    this.#nameOf = nameOf;
    this.#byObject = byObject;
  }

  /** The object with places for what is known later; text says why there is none. */
  object(plugin: (name: string) => BundlePlugin | undefined): DeferredJson | string {
    const { target } = this.#resource;
    const { namespace } = this.#bundle;
    if (target.kind === "object") {
      const object = { ...target.object, metadata: { ...target.object.metadata, namespace } };
      return this.#withHash(object, this.#convert(object as unknown as JsonValue));
    }
    if (this.#resource.waitsFor.length > 0) return this.#laterFields(plugin);
    const made = fillResource(this.#bundle, this.#resource, () => null, {
      plugin,
      actual: () => undefined,
      dependency: () => undefined,
    });
    return made.kind === "object" ? (made.object as unknown as DeferredJson) : made.message;
  }

  /** What is read by the pods comes before them. */
  configEdges(): ProgramResource["edges"] {
    return this.#config.flatMap(({ kind, name }) => {
      const to = this.#byObject.get(`${kind} ${name}`);
      return to === undefined || to === this.#resource.name
        ? []
        : [{ to: this.#nameOf(to), reason: `its pods read ${kind} ${name}` }];
    });
  }

  #convert(value: JsonValue): DeferredJson {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((inner: JsonValue) => this.#convert(inner));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#convert(inner ?? null)]),
    );
  }

  #text(text: string): DeferredJson {
    const names = new Set(namesIn(text));
    if (names.size === 0) return withReferences(text, () => null);
    return this.#defer({ kind: "text", resource: this.#resource, text }, text, names);
  }

  #defer(value: Deferred, text: string, names: ReadonlySet<string>): DeferredJson {
    const from = this.#resource.references
      .filter(({ name }) => name !== undefined && names.has(name))
      .map(({ resource }) => ({ resource: this.#nameOf(resource), path: [] }));
    return { $deferred: this.#number(value), from, text };
  }

  #number(value: Deferred): number {
    const { deferred, first } = this.#values;
    return first + deferred.push(value) - 1;
  }

  /** Which fields a plugin gives is found out with examples; what stands in them comes later. */
  #laterFields(plugin: (name: string) => BundlePlugin | undefined): DeferredJson | string {
    const example =
      exampleOf(this.#bundle, this.#resource, plugin) ??
      fillResource(this.#bundle, this.#resource, (name) => `(${name})`, {
        plugin,
        actual: () => undefined,
        dependency: () => undefined,
      });
    if (example.kind !== "object")
      return `${example.message}; examples of its references let the plugin be tried before they are there`;
    const { apiVersion, kind, metadata, ...fields } = example.object;
    const names = new Set(this.#resource.references.flatMap(({ name }) => name ?? []));
    return {
      apiVersion,
      kind,
      metadata: metadata as unknown as DeferredJson,
      ...Object.fromEntries(
        Object.keys(fields).map((field) => [
          field,
          this.#defer({ kind: "field", resource: this.#resource, field }, field, names),
        ]),
      ),
    };
  }

  #withHash(object: KubernetesObject, converted: DeferredJson): DeferredJson {
    this.#config = configOf(object).filter(({ name }) => namesIn(name).length === 0);
    if (this.#config.length === 0 || !isJsonObject(converted)) return converted;
    const from = this.#config.flatMap(({ kind, name }) => {
      const resource = this.#byObject.get(`${kind} ${name}`);
      return resource === undefined ? [] : [{ resource: this.#nameOf(resource), path: [] }];
    });
    const hash = this.#number({ kind: "hash", config: this.#config });
    const spec = converted["spec"] as Readonly<Record<string, DeferredJson>>;
    const template = spec["template"] as Readonly<Record<string, DeferredJson>>;
    const metadata = (template["metadata"] ?? {}) as Readonly<Record<string, DeferredJson>>;
    const annotations = {
      ...((metadata["annotations"] ?? {}) as Readonly<Record<string, DeferredJson>>),
      [configHashAnnotation]: { $deferred: hash, from, text: "what its pods read" },
    };
    return {
      ...(converted as Readonly<Record<string, DeferredJson>>),
      spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } },
    };
  }
}

function resolveDeferred(
  bundle: Bundle,
  deferred: Deferred | undefined,
  outputOf: (resource: string) => JsonValue | undefined,
  world: DeferredWorld,
  plugin: (name: string) => BundlePlugin | undefined,
): ReturnType<BundleGraph["resolve"]> {
  if (deferred === undefined) return { kind: "problem", message: "there is no such value" };
  if (deferred.kind === "hash") return { kind: "value", value: configHash(deferred.config, world) };
  const { resource } = deferred;
  const dependency = (name: string): KubernetesObject | undefined =>
    outputOf(name) as unknown as KubernetesObject | undefined;
  const named = resource.references.filter(({ name }) => name !== undefined);
  const taken = referenceValues(named, dependency, world);
  if (taken.kind !== "values") return { kind: "problem", message: taken.message };
  const { values } = taken;
  const given = (name: string): JsonValue => values.get(name) ?? null;
  if (deferred.kind === "text")
    return { kind: "value", value: withReferences(deferred.text, given) };
  const made = fillResource(bundle, resource, given, {
    plugin,
    dependency,
    actual: () => undefined,
  });
  return made.kind === "object"
    ? { kind: "value", value: (fieldAt(made.object, deferred.field) ?? null) as JsonValue }
    : made;
}
