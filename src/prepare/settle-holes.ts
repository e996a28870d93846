import {
  type ApplyNode,
  comparedNode,
  coverHole,
  fillHole,
  hasOpenHoles,
  type Hole,
  type HoleSource,
  isFieldSettled,
  isProvisionedObject,
  type Plan,
  type PlanNode,
} from "../plan/index.ts";
import { freshName } from "./fresh-names.ts";
import { holeValues } from "./hole-values.ts";
import { isUnnamed } from "./later-resources.ts";
import type { PlanContext } from "./plan-passes.ts";
import { withReplacement } from "./with-replacement.ts";

/**
 * Opens the holes whose values may become others, because what fills them is going to change; those that
 * others take from such an object are open in turn. What cannot be changed in place is found on the way,
 * because a new object has new values. So are its new name and the names that follow from it: everybody
 * comes after what they take values from.
 */
export async function settleHoles(plan: Plan, context: PlanContext): Promise<Plan> {
  const { options, observed } = context;
  const { program } = options.desired;
  const nodes = new Map(plan.nodes);
  const named = plannedNames(nodes, context);
  const isOpen = ({ sources }: Hole): boolean =>
    sources.some((source) => {
      const { key, path, identity } = source;
      const node = nodes.get(key);
      // What is not part of the run is not changed by it.
      if (node === undefined && identity !== undefined) return false;
      if (named.nameOf(source) !== undefined) return false;
      return !isFieldSettled(node, path, observed.schemaOf, options.manager);
    });
  const isTouched = (node: ApplyNode): boolean => node.holes !== undefined || program !== undefined;
  if (![...nodes.values()].some((node) => node.kind === "apply" && isTouched(node))) return plan;
  for (const key of plan.graph.order()) {
    const node = nodes.get(key);
    if (node?.kind !== "apply" || !isTouched(node)) continue;
    const filled = await named.fill(key, node);
    nodes.set(key, await withReplacement(options, withOpened(filled, isOpen)));
  }
  return { ...plan, nodes };
}

function withOpened(node: ApplyNode, isOpen: (hole: Hole) => boolean): ApplyNode {
  const { holes } = node;
  if (holes === undefined) return node;
  const opened = holes.holes.filter((hole) => !holes.open.includes(hole) && isOpen(hole));
  if (opened.length === 0) return node;
  return {
    ...node,
    // Providers compare inputs, for which a value that may become another is better than words.
    object: isProvisionedObject(node.object) ? node.object : opened.reduce(coverHole, node.object),
    holes: { ...holes, open: [...holes.open, ...opened] },
    action: node.action === "unchanged" ? "update" : node.action,
  };
}

/** Names of objects of a program, which the plan knows before the objects are there. */
interface PlannedNames {
  /** The name that a source takes, if it takes nothing else and the name is known. */
  readonly nameOf: (source: HoleSource) => string | undefined;
  /** A node with the names in it that fillKnown could not know: of objects that are not there yet. */
  readonly fill: (key: string, node: ApplyNode) => Promise<ApplyNode>;
}

function plannedNames(
  nodes: ReadonlyMap<string, PlanNode>,
  { options: { desired, reads, manager }, observed }: PlanContext,
): PlannedNames {
  const nameOf = ({ key, path: [first, second, ...rest] }: HoleSource): string | undefined => {
    const node = nodes.get(key);
    if (first !== "metadata" || second !== "name" || rest.length > 0) return undefined;
    const isChosen = node?.kind === "apply" && node.resource?.objectName !== undefined;
    if (!isChosen || node.action === "skip" || isUnnamed(node)) return undefined;
    return freshName(node) ?? node.identity.name;
  };
  const isNew = (source: HoleSource): boolean =>
    nameOf(source) !== observed.live.get(source.key)?.metadata.name;
  const valueOf = holeValues({
    cluster: reads,
    program: desired.program,
    find: (source) => {
      const node = nodes.get(source.key);
      const name = nameOf(source);
      if (node?.kind !== "apply" || name === undefined) return Promise.resolve(undefined);
      const { object } = node;
      return Promise.resolve({ ...object, metadata: { ...object.metadata, name } });
    },
  });
  return {
    nameOf,
    fill: async (key, node) => {
      const { holes, action } = node;
      if (holes === undefined || action === "skip") return node;
      const filled = holes.holes.filter(
        ({ kind, sources }) =>
          kind === "computed" &&
          sources.every((source) => nameOf(source) !== undefined) &&
          sources.some(isNew),
      );
      if (filled.length === 0) return node;
      let { object } = node;
      for (const hole of filled) {
        const known = await valueOf(hole);
        if (known !== undefined) object = fillHole(object, hole, known.value);
      }
      const open = holes.open.filter((hole) => !filled.includes(hole));
      const next: ApplyNode = { ...node, object, holes: { ...holes, open } };
      const found = observed.live.get(key);
      return found === undefined || hasOpenHoles(next) || action === "create"
        ? next
        : comparedNode(next, found, { schemaOf: observed.schemaOf, manager });
    },
  };
}
