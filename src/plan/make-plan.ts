import { equalValues, type JsonValue } from "../json/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import { type Cycle, cyclesOf, Graph, withoutSoftCycles } from "../graph/index.ts";
import {
  type Inventory,
  type InventoryPolicy,
  ownershipOf,
  owningInventoryAnnotation,
} from "../inventory/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  knownSource,
  type KubernetesObject,
  mutationAnnotation,
  type ObjectIdentity,
  readMutations,
  type SourcedObject,
  withoutOwners,
} from "../objects/index.ts";
import type { Schema } from "../schema/index.ts";
import { type Chart, chartsOf } from "./chart.ts";
import type { OrderedComponent } from "./component-order.ts";
import { mergedWith } from "./compare-with-live.ts";
import { comparedNode } from "./compared-node.ts";
import type { InvalidObject } from "./invalid-object.ts";
import { dependsOnAnnotation, readDependsOn } from "./depends-on.ts";
import { desiredGraph } from "./desired-graph.ts";
import type { ObjectHoles } from "./hole.ts";
import { objectGraph } from "./object-graph.ts";
import type { ApplyNode, Plan, PlanNode } from "./plan.ts";
import type { ProgramDesired } from "./program-desired.ts";
import { planHooks } from "./plan-hooks.ts";
import { planPrune } from "./plan-prune.ts";
import { type KnownAbsence, ownershipRefusal } from "./removal.ts";

export interface PlanInput {
  /** Everything that is wished for, with namespaces filled in. */
  readonly desired: readonly SourcedObject[];
  readonly inventory: Inventory;
  /** Live objects of what is wished for and of what is owned, by identity key. */
  readonly live: ReadonlyMap<string, KubernetesObject>;
  /** What is known of owned objects that are not live. */
  readonly absence?: KnownAbsence | undefined;
  /** Which objects outside this run exist, by identity key; only those that are depended on count. */
  readonly external: ReadonlySet<string>;
  /** Tells by identity keys which owned objects stay though this run does not want them; none unless given. */
  readonly stays?: ((key: string) => boolean) | undefined;
  /** Whether hooks run when they change themselves, rather than with every change of their chart. */
  readonly runsHooksAlone?: boolean | undefined;
  /** What belongs together, and waits for each other. */
  readonly components?: readonly OrderedComponent[] | undefined;
  /** What a program adds: its resources, and the order between them. */
  readonly program?: ProgramDesired | undefined;
  /** The holes of objects, by identity key; what is known is filled in already. */
  readonly holes?: ReadonlyMap<string, ObjectHoles> | undefined;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  readonly schemaOf: (apiVersion: string, kind: string) => Schema | undefined;
}

/** A plan, and everything that is wrong with the input; with that the plan is of use only without it. */
export function makePlan(input: PlanInput): {
  readonly plan: Plan;
  readonly invalid: readonly InvalidObject[];
} {
  const invalid: InvalidObject[] = [];
  const nodes = new Map<string, PlanNode>();
  const desiredKeys = new Set(input.desired.map(({ object }) => identityKey(identityOf(object))));
  const dependedOn = new Set<string>();
  const owned = input.inventory.parts.flatMap(({ entries }) => entries.map(identityKey));
  const ownedKeys = new Set(owned);
  const { stays = () => false } = input;
  const keys: KnownKeys = {
    desired: desiredKeys,
    pruned: new Set(owned.filter((key) => !stays(key))),
    outside: new Set([
      ...input.external,
      ...owned.filter((key) => stays(key) && input.live.has(key)),
    ]),
  };
  for (const sourced of input.desired) {
    const diagnostics: Diagnostic[] = [];
    const node = planApply(input, sourced, keys, diagnostics);
    const { identity } = node;
    nodes.set(identityKey(identity), node);
    invalid.push(...diagnostics.map((diagnostic) => ({ identities: [identity], diagnostic })));
    for (const target of readDependsOn(sourced.object).value) dependedOn.add(identityKey(target));
  }
  for (const [key, node] of nodes) {
    if (node.kind === "apply" && node.identity.kind === "Job" && dependedOn.has(key))
      nodes.set(key, { ...node, mustComplete: true });
  }
  for (const node of planPrune(input, desiredKeys)) nodes.set(identityKey(node.identity), node);
  const isOwned = (key: string): boolean => ownedKeys.has(key);
  const charts = chartsOf(input.desired, { isOwned, isLive: (key) => input.live.has(key) });
  const {
    runsHooksAlone,
    inventory: { statuses },
  } = input;
  const isChanged = (node: PlanNode): boolean => isSureToChange(node, input);
  for (const node of planHooks(charts, { nodes, statuses, isOwned, isChanged, runsHooksAlone }))
    nodes.set(identityKey(node.identity), node);
  const { graph, barriers } = makeGraph(input, nodes, desiredKeys, charts);
  return {
    plan: { nodes, graph: withoutCycles(graph, nodes, barriers, invalid), barriers },
    invalid,
  };
}

/** Notes every cycle, and opens it, so that what does not stand in one can still be run. */
function withoutCycles(
  graph: Graph,
  nodes: ReadonlyMap<string, PlanNode>,
  barriers: ReadonlyMap<string, string>,
  invalid: InvalidObject[],
): Graph {
  const { cycles, opened } = cyclesOf(graph);
  for (const cycle of cycles)
    invalid.push({
      identities: cycle.members.flatMap((key) => nodes.get(key)?.identity ?? []),
      diagnostic: cycleDiagnostic(cycle, nodes, barriers),
    });
  return opened;
}

/** Identity keys of what can be referred to, and of what is about to go. */
interface KnownKeys {
  readonly desired: ReadonlySet<string>;
  /** What is owned and goes, unless it is wished for. */
  readonly pruned: ReadonlySet<string>;
  /** What is in the cluster and stays, though this run does not wish for it. */
  readonly outside: ReadonlySet<string>;
}

function planApply(
  { inventory, live, policy, manager, schemaOf, program, holes }: PlanInput,
  sourced: SourcedObject,
  keys: KnownKeys,
  diagnostics: Diagnostic[],
): ApplyNode {
  const { reference, formerId } = inventory;
  const identity = identityOf(sourced.object);
  const externalDependencies = checkDependencies(sourced, keys, diagnostics);
  checkMutations(sourced, keys, diagnostics);
  const found = live.get(identityKey(identity));
  const object = withOwner(sourced.object, reference.id);
  const common = {
    kind: "apply" as const,
    identity,
    object,
    live: found,
    holes: holes?.get(identityKey(identity)),
    externalDependencies,
    mustComplete: false,
    resource: program?.resources.get(identityKey(identity)),
  };
  if (found === undefined) return { ...common, action: "create", takesOver: false };
  const ownership = ownershipOf(found, { id: reference.id, formerId }, policy);
  if (ownership.kind === "refused")
    return { ...common, action: "skip", takesOver: false, ...ownershipRefusal(ownership.owner) };
  const takesOver = policy === "force-adopt" && ownership.kind === "adopted";
  return comparedNode({ ...common, action: "update", takesOver }, found, { schemaOf, manager });
}

/**
 * Whether a node creates or changes an object for certain. Where only the server knows that is not so, nor
 * where nothing changes but who owns the fields.
 */
function isSureToChange(node: PlanNode, { schemaOf, manager }: PlanInput): boolean {
  if (node.kind !== "apply") return false;
  const { action, object, live } = node;
  if (action !== "update" || live === undefined) return action === "create";
  const schema = schemaOf(object.apiVersion, object.kind);
  const merged = schema === undefined ? undefined : mergedWith(object, live, schema, manager);
  if (merged === undefined) return false;
  const [before, after] = [live, merged as unknown as KubernetesObject].map(
    (each) => withoutOwners(each) as unknown as JsonValue,
  );
  return !equalValues(before, after);
}

function withOwner(object: KubernetesObject, id: string): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [owningInventoryAnnotation]: id };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function checkDependencies(
  sourced: SourcedObject,
  keys: KnownKeys,
  diagnostics: Diagnostic[],
): readonly ObjectIdentity[] {
  const { value, problems } = readDependsOn(sourced.object);
  const subject = formatIdentity(identityOf(sourced.object));
  const source = (): Diagnostic["source"] =>
    sourced.sourceOf(["metadata", "annotations", dependsOnAnnotation]);
  const refuse = (summary: string, hint?: string): void => {
    diagnostics.push({
      code: "live.invalid-dependency",
      severity: "error",
      summary: `${subject}: ${summary}`,
      hint,
      subject,
      source: source(),
    });
  };
  for (const problem of problems) refuse(`its depends-on annotation cannot be used: ${problem}`);
  const outside: ObjectIdentity[] = [];
  for (const target of value) {
    const key = identityKey(target);
    if (keys.desired.has(key)) continue;
    if (keys.pruned.has(key))
      refuse(
        `it depends on ${formatIdentity(target)}, which this run prunes`,
        "keep that object in the input, or remove the dependency",
      );
    else if (keys.outside.has(key)) outside.push(target);
    else
      refuse(
        `it depends on ${formatIdentity(target)}, which is neither in the input nor in the cluster`,
        placedHint(target, sourced.object.metadata.namespace, keys.desired),
      );
  }
  return outside;
}

/** The reference that was meant, if only the namespace is missing in it. */
function placedHint(
  target: ObjectIdentity,
  namespace: string | undefined,
  desired: ReadonlySet<string>,
): string | undefined {
  const { group, kind, name } = target;
  return namespace !== undefined && desired.has(identityKey({ ...target, namespace }))
    ? `it is in a namespace: ${group}/namespaces/${namespace}/${kind}/${name}`
    : undefined;
}

function checkMutations(
  sourced: SourcedObject,
  { desired, pruned, outside }: KnownKeys,
  diagnostics: Diagnostic[],
): void {
  const { value, problems } = readMutations(sourced.object);
  const subject = formatIdentity(identityOf(sourced.object));
  const refuse = (summary: string, hint?: string): void => {
    diagnostics.push({
      code: "live.invalid-mutation",
      severity: "error",
      summary: `${subject}: ${summary}`,
      hint,
      subject,
      source: sourced.sourceOf(["metadata", "annotations", mutationAnnotation]),
    });
  };
  for (const problem of problems)
    refuse(`its apply-time-mutation annotation cannot be used: ${problem}`);
  // What it waits for may make the source.
  const mayAppear = readDependsOn(sourced.object).value.length > 0;
  for (const mutation of value) {
    const source = knownSource(mutation.source, (key) =>
      [desired, pruned, outside].some((keys) => keys.has(key)),
    );
    const key = identityKey(source);
    const taken = `its apply-time-mutation annotation takes ${mutation.sourcePathText} from ${formatIdentity(source)}`;
    if (pruned.has(key) && !desired.has(key))
      refuse(
        `${taken}, which this run prunes`,
        "keep that object in the input, or remove the mutation",
      );
    else if (!desired.has(key) && !outside.has(key) && !mayAppear)
      refuse(
        `${taken}, which is neither in the input nor in the cluster`,
        "add that object, or name with depends-on what makes it",
      );
  }
}

/** Who is applied waits for what it needs; who is deleted waits for what needs it. */
function makeGraph(
  { live, components = [], program }: PlanInput,
  nodes: ReadonlyMap<string, PlanNode>,
  desiredKeys: ReadonlySet<string>,
  charts: readonly Chart[],
): { readonly graph: Graph; readonly barriers: ReadonlyMap<string, string> } {
  const wanted: KubernetesObject[] = [];
  const leaving: KubernetesObject[] = [];
  for (const [key, node] of nodes) {
    if (node.kind === "apply") wanted.push(node.object);
    else {
      const object = live.get(key);
      if (object !== undefined && !desiredKeys.has(key)) leaving.push(object);
    }
  }
  const { barriers, edges } = desiredGraph(wanted, components, program, charts);
  const backward = objectGraph(leaving).map((edge) => ({ ...edge, from: edge.to, to: edge.from }));
  const graph = new Graph([...nodes.keys(), ...barriers.keys()], [...edges, ...backward]);
  return { graph: withoutSoftCycles(graph), barriers };
}

function cycleDiagnostic(
  { members, edges }: Cycle,
  nodes: ReadonlyMap<string, PlanNode>,
  barriers: ReadonlyMap<string, string>,
): Diagnostic {
  const name = (key: string): string => {
    const node = nodes.get(key);
    return node === undefined ? (barriers.get(key) ?? key) : formatIdentity(node.identity);
  };
  return {
    code: "live.cycle",
    severity: "error",
    summary: `${edges.length === 1 ? "an object waits" : `${edges.length} objects wait`} for each other in a circle`,
    detail: [
      ...edges.map(({ from, to, reason }) => `${name(from)} waits for ${name(to)}: ${reason}`),
      ...(members.length > edges.length
        ? [`and ${members.length - edges.length} more are part of it`]
        : []),
    ].join("\n"),
    hint: "remove one of these edges",
  };
}
