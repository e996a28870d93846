import { DiagnosticError, diagnosticToJson } from "../diagnostics/index.ts";
import type { Inventory } from "../inventory/index.ts";
import { duplicateObjects } from "../objects/index.ts";
import type { ClusterReads } from "../observe/index.ts";
import {
  type InvalidObject,
  makePlan,
  type OrderedComponent,
  type Plan,
  type ProgramDesired,
  skipInvalid,
} from "../plan/index.ts";
import type { DesiredGroup, PruneScope } from "./group-options.ts";
import { fillKnown } from "./fill-known.ts";
import { type FreshName, freshNames, withReplacements } from "./fresh-names.ts";
import { warnOfRules } from "./invalid-rules.ts";
import { laterResources, withOpenNames } from "./later-resources.ts";
import { missingNamespaces } from "./missing-places.ts";
import { observeGroup, type PrepareOptions } from "./observe-group.ts";
import { withRecordedSecrets } from "./recorded-secrets.ts";
import { checks, passes, type PlanContext } from "./plan-passes.ts";
import type { ProgramRun } from "./program-run.ts";

/** A plan, and the desired state as it was planned: objects may have got other names. */
export interface PreparedPlan {
  readonly plan: Plan;
  readonly inventory: Inventory;
  readonly desired: DesiredGroup;
  /** What has been read for it. */
  readonly reads: ClusterReads;
  /** The resources that must wait until the others are applied, because then their names are known. */
  readonly later: ReadonlySet<string>;
}

/**
 * Everything that must be known before anything is written. Objects of a program that are made anew
 * under another name are known only from a plan; then there is another one, which may name more.
 */
export async function preparePlan(
  options: PrepareOptions,
  loading: Inventory | Promise<Inventory>,
): Promise<PreparedPlan> {
  const { desired, reads } = options;
  const inventory = Promise.resolve(loading);
  const known = async (): Promise<Pick<PreparedPlan, "inventory" | "reads">> => ({
    inventory: await inventory,
    reads,
  });
  if (desired.program === undefined)
    return {
      plan: await planOnce(options, inventory),
      desired,
      later: new Set(),
      ...(await known()),
    };
  const { program, components } = desired;
  const fresh = new Map<string, FreshName>();
  // Names follow each other without a circle, so each round settles one at least; mostly the first does all.
  const mostRounds = program.desired.resources.size;
  let current: ProgramGroup = { ...desired, program };
  for (let round = 0; round <= mostRounds; round++) {
    const plan = await planOnce({ ...options, desired: current }, inventory);
    const found = freshNames(plan);
    if (found.size === 0)
      return {
        ...named(withReplacements(plan, fresh, current.program.desired.keyOf), current),
        ...(await known()),
      };
    for (const [resource, each] of found)
      fresh.set(resource, { ...each, replaces: fresh.get(resource)?.replaces ?? each.replaces });
    current = renamed({ ...desired, program, components }, fresh);
  }
  throw new Error(`names go on changing: ${[...fresh.keys()].join(", ")}`);
}

type ProgramGroup = DesiredGroup & { readonly program: ProgramRun };

function renamed(
  { program, components, invalid }: ProgramGroup,
  fresh: ReadonlyMap<string, FreshName>,
): ProgramGroup {
  const names = new Map([...fresh].map(([resource, { name }]) => [resource, name]));
  const after = program.desiredAs(names);
  const twice = duplicateObjects(after.objects).map(({ diagnostic }) => diagnostic);
  if (twice.length > 0) throw new DiagnosticError(twice);
  return {
    objects: after.objects,
    invalid,
    program: { ...program, desired: after },
    components: components.map((each) => withRenamed(each, program.desired, after)),
  };
}

function named(plan: Plan, desired: ProgramGroup): Omit<PreparedPlan, "inventory" | "reads"> {
  const later = laterResources(plan, desired.program.desired);
  return { desired, plan: later.size === 0 ? plan : withOpenNames(plan), later };
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
async function planOnce(options: PrepareOptions, loading: Promise<Inventory>): Promise<Plan> {
  const { desired, policy, manager } = options;
  // Asked for by checks below: on their way while the rest is read.
  void missingNamespaces(undefined, { options }).catch(() => undefined);
  const observed = await observeGroup(options, loading);
  const known = await fillKnown(options, observed);
  const made = makePlan({
    ...observed,
    ...known,
    program: desired.program && withRecordedSecrets(desired.program.desired, observed.live),
    components: desired.components,
    stays: staysUnder(options.prune),
    runsHooksAlone: options.runsHooksAlone,
    policy,
    manager,
  });
  const context: PlanContext = { options, observed, desired: known.desired };
  let plan: Plan = { ...made.plan, definitions: observed.definitions };
  for (const pass of passes) plan = await pass(plan, context);
  warnOfRules(observed.definitions, known.desired, options.emit);
  const found = await Promise.all(checks.map((check) => check(plan, context)));
  return withoutInvalid(plan, [...desired.invalid, ...made.invalid, ...found.flat()], options);
}

function withoutInvalid(
  plan: Plan,
  invalid: readonly InvalidObject[],
  { validation, emit }: PrepareOptions,
): Plan {
  if (invalid.length === 0) return plan;
  const diagnostics = invalid.map(({ identities, diagnostic }) => {
    if (identities.length === 0) return diagnostic;
    return identities.length === 1
      ? { ...diagnostic, object: identities[0] }
      : { ...diagnostic, objects: identities };
  });
  if (validation !== "skip") throw new DiagnosticError(diagnostics);
  for (const diagnostic of diagnostics)
    emit({ type: "validation", ...diagnosticToJson(diagnostic) });
  return skipInvalid(plan, invalid);
}

/** Tells by identity keys which owned objects a prune leaves alone. */
function staysUnder(prune: PruneScope): (key: string) => boolean {
  if (prune.kind === "except") return prune.keeps;
  return () => prune.kind === "none";
}
