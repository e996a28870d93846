import type { Edge } from "../graph/index.ts";
import { resourceNameAnnotation } from "../inventory/index.ts";
import type { JsonObject } from "../json/index.ts";
import {
  identityKey,
  identityOf,
  isSecret,
  type KubernetesObject,
  type ObjectIdentity,
  secretFieldsAnnotation,
  type SourcedObject,
  writeSecretFields,
} from "../objects/index.ts";
import {
  contentsIn,
  contentsSuffix,
  type ProgramGraph,
  type ProgramResource,
  withSuffix,
} from "../resources/index.ts";
import { fieldSteps } from "../schema/index.ts";
import { deferredIn, knownAfterApply } from "./hole.ts";
import { deleteTimeoutAnnotation, keepAnnotation, protectAnnotation } from "./keep-annotations.ts";
import {
  objectWithRecord,
  provisionedApiVersion,
  provisionedKind,
  waitsForAnnotation,
} from "./provisioned-record.ts";

/** What a program wishes for, in the terms of the planner. */
export interface ProgramDesired {
  /** Objects, in which values that are not known yet stand as `DeferredValue`s. */
  readonly objects: readonly SourcedObject[];
  /** The same objects by identity key. */
  readonly byKey: ReadonlyMap<string, KubernetesObject>;
  /** The resource that each node of the graph is. */
  readonly resources: ReadonlyMap<string, ProgramResource>;
  /** The node of the graph that each resource is, by its name. */
  readonly keyOf: ReadonlyMap<string, string>;
  readonly edges: readonly Edge[];
  /** Resources that are nothing by themselves: nodes that are reached with all that they wait for. */
  readonly barriers: ReadonlyMap<string, string>;
}

/** Turns the resources of a program into objects: Kubernetes' own, and records of all others. */
export function programDesired(
  { resources }: ProgramGraph,
  place: {
    /** Where objects and records are that name no namespace. */
    readonly namespace: string;
    readonly isNamespaced: (object: KubernetesObject) => boolean;
    /** The object that a resource is already, by one of its names, if it is there. */
    readonly recorded?: (name: string) => ObjectIdentity | undefined;
    /** The name that the object of a resource is to have, if it was chosen already. */
    readonly chosen?: (name: string) => string | undefined;
    /** A short text for the name of a resource, the same for the same name. */
    readonly hashOf: (text: string) => string;
  },
): ProgramDesired {
  const objects: SourcedObject[] = [];
  const resourceOf = new Map<string, ProgramResource>();
  const byKey = new Map<string, KubernetesObject>();
  const keyOf = new Map<string, string>();
  const barriers = new Map<string, string>();
  const recordedOf = (resource: ProgramResource): ObjectIdentity | undefined =>
    [resource.name, ...resource.aliases].map((name) => place.recorded?.(name)).find(Boolean);
  const waitsFor = realDependencies(resources);
  for (const resource of resources) {
    if (resource.kind === "composite") {
      const key = `resource ${resource.name}`;
      keyOf.set(resource.name, key);
      barriers.set(key, resource.name);
      resourceOf.set(key, resource);
      continue;
    }
    const made =
      resource.kind === "kubernetes"
        ? kubernetesObject(resource, place, recordedOf(resource))
        : recordObject(resource, place, recordedOf(resource));
    const object = toldApart(withDependencies(made, waitsFor.get(resource.name) ?? []), byKey);
    const key = identityKey(identityOf(object));
    keyOf.set(resource.name, key);
    resourceOf.set(key, resource);
    byKey.set(key, object);
    const { source } = resource;
    objects.push({
      object,
      file: source.file,
      sourceOf: () => source,
      givenWith: callOf(resource),
    });
  }
  const edges = resources.flatMap(({ name, edges: own }) =>
    own.flatMap(({ to, reason }): readonly Edge[] => {
      const [from, target] = [keyOf.get(name), keyOf.get(to)];
      return from === undefined || target === undefined ? [] : [{ from, to: target, reason }];
    }),
  );
  return { objects, byKey, resources: resourceOf, keyOf, edges, barriers };
}

/** Where a resource is allocated: the objects of a chart are allocated by one call. */
function callOf({ parent = "", source: { file, start } }: ProgramResource): string {
  return `${parent} ${file}:${start.line}:${start.column}`;
}

/** What each resource waits for, through those that are nothing by themselves. */
function realDependencies(
  resources: readonly ProgramResource[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const found = new Map<string, readonly string[]>();
  for (const { name, kind, edges } of resources) {
    if (kind === "composite") continue;
    const names = new Set<string>();
    const seen = new Set<string>([name]);
    const pending = edges.map(({ to }) => to);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const target = byName.get(next);
      if (target === undefined || seen.has(next)) continue;
      seen.add(next);
      if (target.kind === "composite") pending.push(...target.edges.map(({ to }) => to));
      else names.add(next);
    }
    if (names.size > 0) found.set(name, [...names].sort());
  }
  return found;
}

function withDependencies(object: KubernetesObject, names: readonly string[]): KubernetesObject {
  if (names.length === 0) return object;
  const annotations = {
    ...object.metadata.annotations,
    [waitsForAnnotation]: JSON.stringify(names),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What others read of the object later is masked by what it says itself; a Secret is known as one. */
function secretFields(
  object: KubernetesObject,
  secret: readonly string[],
): Readonly<Record<string, string>> {
  const fields = secret
    .map(fieldSteps)
    .filter(([first]) => !isSecret(object) || (first !== "data" && first !== "stringData"));
  return fields.length === 0 ? {} : { [secretFieldsAnnotation]: writeSecretFields(fields) };
}

function kubernetesObject(
  resource: ProgramResource,
  place: {
    readonly namespace: string;
    readonly isNamespaced: (object: KubernetesObject) => boolean;
    readonly chosen?: (name: string) => string | undefined;
  },
  recorded: ObjectIdentity | undefined,
): KubernetesObject {
  const { inputs, name, options } = resource;
  const object = inputs as unknown as KubernetesObject;
  const { metadata } = object;
  const annotations = {
    ...metadata.annotations,
    [resourceNameAnnotation]: name,
    ...(options.protect === true ? { [protectAnnotation]: "true" } : {}),
    ...(options.deletionPolicy === "retain" ? { [keepAnnotation]: "keep" } : {}),
    ...(options.timeouts?.delete === undefined
      ? {}
      : { [deleteTimeoutAnnotation]: options.timeouts.delete }),
    ...secretFields(object, options.secret ?? []),
  };
  const known = recorded?.kind === object.kind ? recorded.name : undefined;
  const objectName = place.chosen?.(name) ?? objectNameOf(resource, known);
  const needsNamespace = metadata.namespace === undefined && place.isNamespaced(object);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(objectName === undefined ? {} : { name: objectName }),
      ...(needsNamespace ? { namespace: place.namespace } : {}),
      annotations,
    },
  };
}

/**
 * The name of an object, as far as a program alone tells it. One that follows contents which are not
 * known yet is for now the name that it has, or no name at all but words.
 */
function objectNameOf(
  { inputs, name, objectName }: ProgramResource,
  known: string | undefined,
): string | undefined {
  const { metadata } = inputs as unknown as KubernetesObject;
  if (objectName === undefined) return metadata.name;
  const first = metadata.name ?? "";
  if (objectName.naming === "contentsHash")
    return !hasOpenContents(inputs)
      ? nameByContents(first, inputs as JsonObject)
      : (known ?? `${first}${unknownEnd}`);
  // A name that was made up stays as it is once it is there.
  if (known !== undefined && (objectName.isGenerated || objectName.naming === "random"))
    return known;
  return objectName.naming === "random"
    ? nameByContents(first, inputs as JsonObject, name)
    : metadata.name;
}

/** Whether what would name an object is not all written in the program. */
export function hasOpenContents(inputs: unknown): boolean {
  return deferredIn(contentsIn(inputs as JsonObject)).length > 0;
}

/** Words for people in the place of the end of a name; no object is ever called so. */
const unknownEnd = `-${knownAfterApply}`;

export function isUnknownName(name: string): boolean {
  return name.includes(unknownEnd);
}

export function knownPartOfName(name: string): string {
  const [first = ""] = name.split(unknownEnd, 1);
  return first;
}

/** Several resources may share the part of their names that is known. */
function toldApart(
  object: KubernetesObject,
  taken: ReadonlyMap<string, KubernetesObject>,
): KubernetesObject {
  const { name = "" } = object.metadata;
  if (!isUnknownName(name)) return object;
  const withName = (each: string): KubernetesObject => ({
    ...object,
    metadata: { ...object.metadata, name: each },
  });
  let number = 1;
  let named = object;
  while (taken.has(identityKey(identityOf(named)))) named = withName(`${name} ${++number}`);
  return named;
}

/** The name with what follows from the contents; other contents are another object. */
export function nameByContents(first: string, object: JsonObject, salt = ""): string {
  return withSuffix(first, contentsSuffix({ ...object, type: `${salt}${typeOf(object)}` }));
}

function typeOf(inputs: unknown): string {
  const { type } = inputs as { readonly type?: unknown };
  return typeof type === "string" ? type : "";
}

function recordObject(
  { name, providerType, package: provider, inputs, options, explicitId }: ProgramResource,
  place: { readonly namespace: string; readonly hashOf: (text: string) => string },
  recorded: ObjectIdentity | undefined,
): KubernetesObject {
  const kind = providerType.slice(providerType.lastIndexOf("/") + 1);
  const words = [kind, ...(explicitId === undefined ? [] : [explicitId])].join("-");
  const readable = words
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return objectWithRecord(
    {
      apiVersion: provisionedApiVersion,
      kind: provisionedKind,
      metadata: {
        name: recorded?.name ?? `${readable.slice(0, 40)}-${place.hashOf(name)}`,
        namespace: place.namespace,
        annotations: {
          [resourceNameAnnotation]: name,
          ...(options.protect === true ? { [protectAnnotation]: "true" } : {}),
        },
      },
    },
    {
      spec: {
        name,
        type: providerType,
        provider,
        inputs: inputs as JsonObject,
        deletionPolicy: options.deletionPolicy,
        protect: options.protect,
        secret: options.secret,
        timeouts: options.timeouts,
      },
    },
  );
}
