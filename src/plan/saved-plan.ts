import type { JsonValue } from "../json/index.ts";
import {
  formatIdentity,
  identityKey,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import { labelOfNode, type Plan, type PlanNode } from "./plan.ts";

/** What a plan is going to do, without a single value: digests stand for what is written and found. */
export interface SavedPlan {
  readonly group: SavedGroup;
  readonly objects: readonly SavedNode[];
}

interface SavedGroup {
  readonly name: string;
  readonly namespace: string;
  readonly id: string;
}

interface SavedNode extends ObjectIdentity {
  /** How a person knows it, where that is not its identity. */
  readonly label?: string | undefined;
  readonly action: string;
  /** Of what is going to be written. */
  readonly wanted?: string | undefined;
  /** Of what is there, without what changes by itself. */
  readonly found?: string | undefined;
  readonly uid?: string | undefined;
}

/** Makes a short text of a value, the same for the same value. */
export type Digest = (value: JsonValue) => string;

export function savePlan({ nodes }: Plan, group: SavedGroup, digest: Digest): SavedPlan {
  const { name, namespace, id } = group;
  return {
    group: { name, namespace, id },
    objects: [...nodes.values()].map((node) => savedNode(node, digest)),
  };
}

/** What is no longer as it was when a plan was saved, in words; empty when it still holds. */
export function planDifferences(
  saved: SavedPlan,
  plan: Plan,
  group: SavedGroup,
  digest: Digest,
): readonly string[] {
  if (saved.group.id !== group.id || saved.group.name !== group.name)
    return [`it was made for the inventory ${saved.group.namespace}/${saved.group.name}`];
  const before = new Map(saved.objects.map((node) => [identityKey(node), node]));
  const differences: string[] = [];
  for (const node of savePlan(plan, group, digest).objects) {
    const known = before.get(identityKey(node));
    before.delete(identityKey(node));
    const why = differenceOf(known, node);
    if (why !== undefined) differences.push(`${shown(node)}: ${why}`);
  }
  for (const gone of before.values())
    differences.push(`${shown(gone)}: it is no longer part of the plan`);
  return differences;
}

function shown(node: SavedNode): string {
  return node.label ?? formatIdentity(node);
}

function differenceOf(before: SavedNode | undefined, now: SavedNode): string | undefined {
  if (before === undefined) return "it was not part of the plan";
  if (before.action !== now.action)
    return `the plan was to ${inWords(before.action)}, now it would be to ${inWords(now.action)}`;
  if (before.wanted !== now.wanted) return "the input has changed";
  if (before.uid !== now.uid) return "it has been replaced in the cluster";
  return before.found === now.found ? undefined : "it has changed in the cluster";
}

function inWords(action: string): string {
  if (action === "unchanged") return "leave it as it is";
  return action === "forget" ? "forget it" : `${action} it`;
}

function savedNode(node: PlanNode, digest: Digest): SavedNode {
  const { group, kind, namespace, name } = node.identity;
  const isWritten =
    node.action === "create" || node.action === "update" || node.action === "delete";
  const live = isWritten ? node.live : undefined;
  return {
    group,
    kind,
    namespace,
    name,
    label: labelOfNode(node),
    action: node.action,
    wanted: node.kind === "apply" ? digest(node.object as unknown as JsonValue) : undefined,
    found: live === undefined ? undefined : digest(lastingPart(live)),
    uid: live?.metadata.uid,
  };
}

/** What somebody wrote, without what controllers and the server keep changing. */
function lastingPart({ metadata, status: _status, ...rest }: KubernetesObject): JsonValue {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    ...rest,
    metadata: { labels, annotations, finalizers, ownerReferences },
  } as unknown as JsonValue;
}
