import { identityKey, type KubernetesObject, stringifyJson } from "../objects/index.ts";
import type { ApplyNode, Plan, PlanNode } from "../plan/index.ts";
import { shortHash, withSuffix } from "../resources/index.ts";

/** The name of the object that takes the place of another one, and why. */
export interface FreshName {
  readonly name: string;
  readonly replaces: string;
  /** Fields that cannot be changed in place; none where every change makes a new object. */
  readonly because: readonly string[];
}

/**
 * Objects of a program that are to be made anew under another name, by their resources: those whose
 * names were made up and which cannot be changed in place, and those that ask for it at every change.
 * A run that was killed in between finds the same names again, because they follow from what is replaced.
 */
export function freshNames({ nodes }: Plan): ReadonlyMap<string, FreshName> {
  const fresh = new Map<string, FreshName>();
  for (const node of nodes.values()) {
    if (node.kind !== "apply" || node.resource === undefined || !isReplaced(node)) continue;
    const { live, object, resource, replacement } = node;
    const { metadata } = resource.inputs as unknown as KubernetesObject;
    const suffix = shortHash(`${live?.metadata.uid ?? ""} ${contentsOf(object)}`);
    fresh.set(resource.name, {
      name: withSuffix(metadata.name ?? object.kind.toLowerCase(), suffix),
      replaces: node.identity.name,
      because: replacement?.because ?? [],
    });
  }
  return fresh;
}

function isReplaced({ action, live, isDeferred, replacement, resource }: ApplyNode): boolean {
  const { objectName, options } = resource ?? {};
  if (action !== "update" || live === undefined || isDeferred === true) return false;
  if (objectName?.naming === "random") return true;
  return (
    objectName?.naming === "fixed" &&
    objectName.isGenerated &&
    replacement !== undefined &&
    options?.deleteBeforeReplace !== true
  );
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
    const why = because.length === 0 ? "" : ` because of ${because.join(", ")}`;
    nodes.set(identityKey(node.identity), {
      ...node,
      replacement: { because, deletesFirst: false },
      message: `replaces ${replaces}${why}`,
    });
  }
  return { ...plan, nodes };
}
