import { type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import { type Diagnostic, DiagnosticError, diagnosticToJson, fail } from "../diagnostics/index.ts";
import type { Inventory, InventoryPolicy } from "../inventory/index.ts";
import {
  duplicateObjects,
  identityKey,
  identityOf,
  knownSource,
  type KubernetesObject,
  type ObjectIdentity,
  readMutations,
  type SourcedObject,
} from "../objects/index.ts";
import { clusterSchemas, type ListsAhead, observeLive } from "../observe/index.ts";
import {
  diagnosePlan,
  type InvalidObject,
  makePlan,
  type OrderedComponent,
  type Plan,
  type PlanDiagnosis,
  type ProgramDesired,
  readDependsOn,
  skipInvalid,
} from "../plan/index.ts";
import { diagnoseRules, readinessRules } from "../readiness/index.ts";
import { absentOwners } from "./absent-owners.ts";
import type { Emit } from "./emit.ts";
import { type FreshName, freshNames, withReplacements } from "./fresh-names.ts";
import { laterResources, withOpenNames } from "./later-resources.ts";
import { missingPlaces } from "./missing-places.ts";
import { missingProviders } from "./missing-providers.ts";
import { prepareProgram, settleProgram } from "./prepare-program.ts";
import type { ProgramRun } from "./program-run.ts";
import { settleMutations } from "./settle-mutations.ts";

export interface PreparePlanOptions {
  readonly cluster: Cluster;
  readonly desired: readonly SourcedObject[];
  readonly invalid?: readonly InvalidObject[] | undefined;
  readonly components?: readonly OrderedComponent[] | undefined;
  readonly program?: ProgramRun | undefined;
  readonly prunes?: boolean | undefined;
  readonly keeps?: ((key: string) => boolean) | undefined;
  readonly policy: InventoryPolicy;
  readonly manager: string;
  readonly validation?: "fail" | "skip" | undefined;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Lists that are under way already. */
  readonly ahead?: ListsAhead | undefined;
}

/** What is going to be done, and what the wishes have become on the way. */
export interface PreparedPlan {
  readonly plan: Plan;
  readonly desired: readonly SourcedObject[];
  readonly program: ProgramRun | undefined;
  readonly components: readonly OrderedComponent[] | undefined;
  /** The resources that must wait until the others are applied, because then their names are known. */
  readonly later: ReadonlySet<string>;
}

/**
 * Everything that must be known before anything is written. Objects of a program that are made anew
 * under another name are known only from a plan; then there is another one, which may name more.
 */
export async function preparePlan(
  options: PreparePlanOptions,
  loading: Inventory | Promise<Inventory>,
): Promise<PreparedPlan> {
  const { program, desired, components } = options;
  const inventory = Promise.resolve(loading);
  if (program === undefined) {
    const plan = await planOnce(options, inventory);
    return { plan, desired, program, components, later: new Set() };
  }
  const fresh = new Map<string, FreshName>();
  let wishes = { desired, program, components };
  for (let round = 1; ; round++) {
    const plan = await planOnce({ ...options, ...wishes }, inventory);
    const found = freshNames(plan);
    if (found.size === 0 || round === mostRounds)
      return named(withReplacements(plan, fresh, wishes.program.desired.keyOf), wishes);
    for (const [resource, each] of found)
      fresh.set(resource, { ...each, replaces: fresh.get(resource)?.replaces ?? each.replaces });
    wishes = renamedWishes({ program, components }, fresh);
  }
}

/** Each round names what follows from names of the round before. */
const mostRounds = 20;

function renamedWishes(
  { program, components }: Pick<ProgramWishes, "program" | "components">,
  fresh: ReadonlyMap<string, FreshName>,
): ProgramWishes {
  const names = new Map([...fresh].map(([resource, { name }]) => [resource, name]));
  const renamed = program.desiredAs(names);
  const twice = duplicateObjects(renamed.objects).map(({ diagnostic }) => diagnostic);
  if (twice.length > 0) throw new DiagnosticError(twice);
  return {
    desired: renamed.objects,
    program: { ...program, desired: renamed },
    components: components?.map((each) => withRenamed(each, program.desired, renamed)),
  };
}

type ProgramWishes = Omit<PreparedPlan, "plan" | "later"> & { readonly program: ProgramRun };

function named(plan: Plan, wishes: ProgramWishes): PreparedPlan {
  const later = laterResources(plan, wishes.program.desired);
  return { ...wishes, plan: later.size === 0 ? plan : withOpenNames(plan), later };
}

function withRenamed(
  component: OrderedComponent,
  before: ProgramDesired,
  after: ProgramDesired,
): OrderedComponent {
  const moved = new Map(
    [...before.keyOf].map(([resource, key]) => [key, after.keyOf.get(resource)]),
  );
  return { ...component, members: component.members.map((key) => moved.get(key) ?? key) };
}

/**
 * One plan. Throws all that is wrong at once, or, if asked to, leaves invalid objects out of the plan.
 */
async function planOnce(options: PreparePlanOptions, loading: Promise<Inventory>): Promise<Plan> {
  const { cluster, desired, policy, manager, signal } = options;
  const [inventory, { schemaOf, definitions }, missing, ownerless] = await Promise.all([
    loading,
    clusterSchemas(
      cluster,
      desired.map(({ object }) => object),
    ),
    missingPlaces(cluster, desired),
    absentOwners(cluster, desired),
  ]);
  requireSameId(inventory, policy);
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  const outside = await outsideDependencies(cluster, desired, owned);
  const wanted = desired.map(({ object }) => ({
    ...identityOf(object),
    apiVersion: object.apiVersion,
  }));
  const { live, unchecked } = await observeLive(cluster, [...wanted, ...owned, ...outside], {
    signal,
    ahead: options.ahead,
  });
  const program = await prepareProgram(options, live);
  const external = new Set(outside.map(identityKey).filter((key) => live.has(key)));
  const made = makePlan({
    desired: program?.desired ?? desired,
    program: program?.input,
    inventory,
    live,
    unchecked,
    external,
    components: options.components,
    prunes: options.prunes,
    keeps: options.keeps,
    policy,
    manager,
    schemaOf,
  });
  const plan = {
    ...(await settleMutations(
      { cluster, manager, schemaOf },
      await settleProgram(options, made.plan),
    )),
    definitions,
  };
  warnOfRules(definitions, program?.desired ?? desired, options.emit);
  const diagnosis = diagnosePlan(plan, program?.desired ?? desired, schemaOf);
  const all = [
    ...(options.invalid ?? []),
    ...missing,
    ...ownerless,
    ...made.invalid,
    ...ruleErrors(program?.desired ?? desired),
    ...diagnosis.invalid,
    ...(await refusedOf(options, diagnosis)),
    ...(await missingProviders(options, plan)),
  ];
  if (all.length === 0) return plan;
  const diagnostics = all.map(({ identities, diagnostic }) =>
    identities.length === 1 ? { ...diagnostic, object: identities[0] } : diagnostic,
  );
  if (options.validation !== "skip") throw new DiagnosticError(diagnostics);
  for (const diagnostic of diagnostics)
    options.emit({ type: "validation", ...diagnosticToJson(diagnostic) });
  return skipInvalid(plan, all);
}

/** Mistakes in what the input says of readiness; warnings are told with those of the input. */
function ruleErrors(desired: readonly SourcedObject[]): readonly InvalidObject[] {
  return diagnoseRules(desired)
    .filter(({ diagnostic: { severity } }) => severity === "error")
    .map(({ object, diagnostic }) => ({ identities: [identityOf(object)], diagnostic }));
}

/** Instances of a definition in the cluster whose rules are wrong will fail; that is known by now. */
function warnOfRules(
  definitions: readonly KubernetesObject[],
  desired: readonly SourcedObject[],
  emit: Emit,
): void {
  const own = new Set(desired.map(({ object }) => object.metadata.name));
  for (const definition of definitions) {
    // Of those in the input it is an error.
    if (own.has(definition.metadata.name)) continue;
    for (const { diagnostic } of readinessRules(definition).problems)
      emit({ type: "warning", ...diagnosticToJson({ ...diagnostic, severity: "warning" }) });
  }
}

/** Asks the server about fields that it may know although the schemas here do not. */
async function refusedOf(
  { cluster, manager }: PreparePlanOptions,
  { doubtful }: PlanDiagnosis,
): Promise<readonly InvalidObject[]> {
  const refused = await Promise.all(
    doubtful.map(async ({ node, diagnostics }) => {
      try {
        await cluster.apply(node.object, { fieldManager: manager, dryRun: true, force: true });
        return [];
      } catch (error) {
        if (!isApiError(error)) throw error;
        // Its namespace may be part of this run, or a dry run not allowed: nobody knows.
        if (isNotFound(error) || isApiError(error, "Forbidden")) return [];
        return diagnostics.map((diagnostic: Diagnostic) => ({
          identities: [node.identity],
          diagnostic,
        }));
      }
    }),
  );
  return refused.flat();
}

/** What is depended on, or taken from, without being part of the run. */
async function outsideDependencies(
  cluster: Cluster,
  desired: readonly SourcedObject[],
  owned: readonly ObjectIdentity[],
): Promise<readonly ObjectIdentity[]> {
  const inside = new Set(
    [...desired.map(({ object }) => identityOf(object)), ...owned].map(identityKey),
  );
  const isInside = (key: string): boolean => inside.has(key);
  const sources = desired
    .flatMap(({ object }) => readMutations(object).value)
    .map(({ source }) => knownSource(source, isInside));
  const named = [
    ...desired.flatMap(({ object }) => readDependsOn(object).value),
    ...sources,
  ].filter((entry) => !isInside(identityKey(entry)));
  if (named.length === 0) return [];
  const resources = await cluster.resources();
  const isWithoutNamespaces = ({ group, kind }: ObjectIdentity): boolean =>
    resources.preferred(group, kind)?.namespaced === false;
  return uniqueEntries(
    named.map((entry) => (isWithoutNamespaces(entry) ? { ...entry, namespace: "" } : entry)),
  );
}

/** The cluster's group may carry another id than the input: then this may be somebody else's. */
export function requireSameId({ reference, liveId }: Inventory, policy: InventoryPolicy): void {
  if (liveId === undefined || liveId === reference.id || policy !== "strict") return;
  fail({
    code: "live.id-mismatch",
    summary: `the inventory ${reference.namespace}/${reference.name} in the cluster has the id ${JSON.stringify(liveId)}, ${reference.source} has ${JSON.stringify(reference.id)}`,
    hint: "use the id of the cluster, or override it once with --inventory-policy=adopt",
  });
}

export function uniqueEntries(entries: readonly ObjectIdentity[]): readonly ObjectIdentity[] {
  return [...new Map(entries.map((entry) => [identityKey(entry), entry])).values()];
}
