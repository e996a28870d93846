import { equalValues, type JsonObject, type JsonValue, stringifyJson } from "../json/index.ts";
import { identityKey, type KubernetesObject } from "../objects/index.ts";
import {
  type ApplyNode,
  hasOpenContents,
  hasOpenHoles,
  nameByContents,
  type Plan,
  type PlanNode,
} from "../plan/index.ts";
import { shortHash, withSuffix } from "../resources/index.ts";

/** The name that the object of a resource is to have instead of the one that was planned with. */
export interface FreshName {
  readonly name: string;
  /** The name of the object whose place it takes. */
  readonly replaces: string | undefined;
  /** Fields that cannot be changed in place; none where every change makes a new object. */
  readonly because: readonly string[];
}

/**
 * Objects of a program that are to have another name, by their resources: those whose names follow
 * contents that have become known, those whose names were made up and which cannot be changed in place,
 * and those that ask for a new name at every change.
 * A run that was killed in between finds the same names again, because they follow from what is replaced.
 */
export function freshNames({ nodes }: Plan): ReadonlyMap<string, FreshName> {
  const fresh = new Map<string, FreshName>();
  for (const node of nodes.values()) {
    if (node.kind !== "apply" || node.resource === undefined) continue;
    const { live, resource, replacement, identity } = node;
    const name = freshName(node);
    if (name === undefined || name === identity.name) continue;
    const replaces = live === undefined ? undefined : identity.name;
    fresh.set(resource.name, { name, replaces, because: replacement?.because ?? [] });
  }
  return fresh;
}

/** The name that a node is to have instead of its own, if there is one. */
export function freshName(node: ApplyNode): string | undefined {
  const { live, object, action, resource } = node;
  if (resource === undefined) return undefined;
  const { inputs, objectName } = resource;
  const { metadata } = inputs as unknown as KubernetesObject;
  const isOpen = objectName?.naming === "contentsHash" && hasOpenContents(inputs);
  if (isOpen && !hasOpenHoles(node) && action !== "skip")
    return nameByContents(metadata.name ?? "", object as unknown as JsonObject);
  if (!isReplaced(node)) return undefined;
  const suffix = shortHash(`${live?.metadata.uid ?? ""} ${contentsOf(object)}`);
  return withSuffix(metadata.name ?? object.kind.toLowerCase(), suffix);
}

function isReplaced(node: ApplyNode): boolean {
  const { action, live, replacement, resource } = node;
  const { objectName, options } = resource ?? {};
  if (action !== "update" || live === undefined || hasOpenHoles(node)) return false;
  if (objectName?.naming === "random") return hasOtherContents(node.object, live);
  return (
    objectName?.naming === "fixed" &&
    objectName.isGenerated &&
    replacement !== undefined &&
    options?.deleteBeforeReplace !== true
  );
}

/** Whether more changes than names, options and labels, which an object may have others of in place. */
function hasOtherContents(wanted: KubernetesObject, live: KubernetesObject): boolean {
  return !equalValues(comparable(wanted, live), comparable(live, live));
}

/** The contents of a ConfigMap or Secret as the server keeps them; what is left out is as it is there. */
function comparable(object: KubernetesObject, live: KubernetesObject): JsonObject {
  const { data, binaryData, stringData, immutable, type } = object as unknown as JsonObject;
  const written = Object.entries((stringData ?? {}) as Readonly<Record<string, string>>).map(
    ([key, text]) => [key, Buffer.from(text).toString("base64")] as const,
  );
  return {
    data: { ...((data ?? {}) as JsonObject), ...Object.fromEntries(written) },
    binaryData: binaryData ?? {},
    immutable: immutable ?? false,
    type: type ?? (live["type"] as JsonValue | undefined) ?? null,
  };
}

function contentsOf({ metadata, ...rest }: KubernetesObject): string {
  return stringifyJson({ ...rest, labels: metadata.labels ?? null });
}

/** Says of the new objects what they replace. */
export function withReplacements(
  plan: Plan,
  fresh: ReadonlyMap<string, FreshName>,
  keyOf: ReadonlyMap<string, string>,
): Plan {
  const nodes = new Map<string, PlanNode>(plan.nodes);
  for (const [resource, { replaces, because }] of fresh) {
    const node = nodes.get(keyOf.get(resource) ?? "");
    if (node?.kind !== "apply" || node.action !== "create") continue;
    if (replaces === undefined) continue;
    const why = because.length === 0 ? "" : ` because of ${because.join(", ")}`;
    nodes.set(identityKey(node.identity), {
      ...node,
      replacement: { because, deletesFirst: false },
      message: `replaces ${replaces}${why}`,
    });
  }
  return { ...plan, nodes };
}
