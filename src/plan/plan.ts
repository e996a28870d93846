import type { Graph } from "../graph/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import type { ObjectHoles } from "./hole.ts";
import { inUseReasons } from "./in-use.ts";
import type { ProgramResource } from "../resources/index.ts";

/** What is to be done with one object that is wished for. */
export interface ApplyNode {
  readonly kind: "apply";
  readonly identity: ObjectIdentity;
  /** The wish, complete with our annotation, and with words in the places of what is not known yet. */
  readonly object: KubernetesObject;
  readonly live: KubernetesObject | undefined;
  readonly action: "create" | "update" | "unchanged" | "skip";
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Takes the annotation from its manager too. */
  readonly takesOver: boolean;
  /** The places in it whose values other nodes give; none unless given. */
  readonly holes?: ObjectHoles | undefined;
  /** Objects outside this run that must be ready first. */
  readonly externalDependencies: readonly ObjectIdentity[];
  /** Something waits for the end of this Job, not only for its start. */
  readonly mustComplete: boolean;
  /** The resource of a program that this object is. */
  readonly resource?: ProgramResource | undefined;
  /** It cannot be changed in place: why, and whether the old one goes first. */
  readonly replacement?: Replacement | undefined;
  /** It is a hook of a Helm chart. */
  readonly hook?: PlannedHook | undefined;
}

/** What becomes of a hook of a Helm chart. */
export interface PlannedHook {
  /** It is left as it is, there or not: nothing of its chart changes. */
  readonly isIdle: boolean;
  /** Hooks with the same text here succeed together. */
  readonly phase: string;
  readonly deletesSucceeded: boolean;
  readonly deletesFailed: boolean;
  /** Of a Job or Pod: the same for the same one; another one runs again. */
  readonly digest: string | undefined;
}

/** A change that makes something new in the place of what is there. */
export interface Replacement {
  /** Names of the inputs that ask for it. */
  readonly because: readonly string[];
  readonly deletesFirst: boolean;
}

/** What is to be done with one object that is owned and no longer wished for. */
export interface PruneNode {
  readonly kind: "prune";
  readonly identity: ObjectIdentity;
  readonly live: KubernetesObject | undefined;
  /** `forget`: it is gone already, or is the same object under another name. */
  readonly action: "delete" | "keep" | "skip" | "forget";
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export type PlanNode = ApplyNode | PruneNode;

/** Whether values in a node are only known once others have been applied. */
export function hasOpenHoles(node: PlanNode): boolean {
  return node.kind === "apply" && (node.holes?.open.length ?? 0) > 0;
}

/** How a person knows a node: what is outside of Kubernetes goes by its own name, not by its record's. */
export function labelOfNode(node: PlanNode): string | undefined {
  const spec = node.kind === "apply" ? node.object["spec"] : node.live?.["spec"];
  const { name, type } = (spec ?? {}) as { readonly name?: string; readonly type?: string };
  if (node.identity.group !== "keelson.dev" || node.identity.kind !== "Provisioned")
    return undefined;
  if (name === undefined || type === undefined) return undefined;
  return `${type.slice(type.lastIndexOf("/") + 1)} ${name}`;
}

/** Whether something is left out or as it is by policy; what is in use and a later stage are no refusals. */
export function hasRefusals({ nodes, leavesOut }: Plan): boolean {
  if (leavesOut === true) return true;
  const accepted: readonly (string | undefined)[] = [...inUseReasons, laterStage];
  return [...nodes.values()].some(
    ({ action, reason }) => action === "skip" && !accepted.includes(reason),
  );
}

/** The reason of what stays because not all wishes are known yet. */
export const laterStage = "LaterStage";

/** Everything that a run is going to do. */
export interface Plan {
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** Who waits for whom; deletions wait for those of their dependents. */
  readonly graph: Graph;
  /** Nodes of the graph that are no objects: components as a whole, by key, with their names. */
  readonly barriers?: ReadonlyMap<string, string>;
  /** The definitions of custom kinds: they say when their instances are ready. */
  readonly definitions?: readonly KubernetesObject[];
  /** Something of the input is in no node, because it cannot be read. */
  readonly leavesOut?: boolean | undefined;
}
