import type { KubernetesObject } from "../../objects/index.ts";
import { type BlueprintChoice, chooseBlueprint } from "../choice/choose-blueprint.ts";
import { speaksCartographer } from "../cartographer/speaks-cartographer.ts";
import { missingAccountWords, unservedWords } from "../cartographer/words.ts";
import type { Family } from "../groups.ts";
import { type Blueprint, readBlueprint } from "../model/blueprint.ts";
import { blueprintProblem, type TemplateLookup } from "../status/blueprint-problem.ts";
import { hideSecrets } from "../status/hide-secrets.ts";
import { ownerStatus } from "../status/owner-status.ts";
import { verdictText } from "../requirements/judge.ts";
import type { StepOutput } from "../stamping/outputs.ts";
import { allOrphans, orphans } from "./orphans.ts";
import type { Realization, ServiceAccount, World } from "./realization.ts";
import { realizeStep } from "./realize-step.ts";
import { settleRemovals } from "./removals.ts";
import { serviceAccountOf } from "./service-account.ts";
import { stepOrder } from "./step-order.ts";
import type { StepResult, Submitted } from "./step-result.ts";

export interface OwnerInput {
  readonly owner: KubernetesObject;
  readonly family: Family;
  /** Every blueprint of the owner's group and kind. */
  readonly blueprints: readonly KubernetesObject[];
  readonly templateOf: TemplateLookup;
  /** Why nothing can be written for this owner: its service account cannot be had. */
  readonly accountProblem?: { readonly reason: string; readonly message: string } | undefined;
  readonly world: World;
}

/**
 * What is to be done for a Workload or Deliverable, and the status that it shall have. Asked again
 * after each action with what came of it, it comes to an end: then no action is left.
 */
export function realizeOwner(input: OwnerInput): Realization {
  const { owner, family } = input;
  const blueprints = input.blueprints.flatMap((object) => readBlueprint(object) ?? []);
  const choice = chooseBlueprint(owner, blueprints);
  if (choice.kind !== "chosen") return unserved(input, choice);
  const { blueprint } = choice;
  const account = serviceAccountOf(owner, blueprint);
  const problem = blueprintProblem(blueprint, input.templateOf);
  const steps = stepOrder(blueprint);
  if (problem !== undefined || steps === undefined) {
    const ready = { status: "False", reason: "", message: "", ...problem } as const;
    return keeping(input, ready, undefined, blueprint);
  }
  const ready = { status: "True", reason: "Ready", message: "" } as const;
  if (input.accountProblem !== undefined)
    return keeping(input, ready, { status: "False", ...accountProblem(input, account) }, blueprint);
  const results = realizeSteps(input, blueprint, steps);
  const { actions, stays } = settleRemovals([
    ...results.flatMap((result) => result.actions),
    ...orphans(input.world.live, blueprint, results),
  ]);
  const { now } = input.world;
  const told = hideSecrets(results, input.world.live);
  const status = ownerStatus({ owner, family, ready, blueprint, results: told, stays, now });
  return { actions, status, blueprint, account };
}

function accountProblem(
  { owner, accountProblem: problem = { reason: "", message: "" } }: OwnerInput,
  { namespace, name }: ServiceAccount,
): Pick<Submitted, "reason" | "message"> {
  return speaksCartographer(owner) && problem.reason === "ServiceAccountError"
    ? { ...problem, message: missingAccountWords(namespace, name) }
    : problem;
}

/** As whom an owner's objects are read and written, whether or not a blueprint serves it. */
export function accountOf({
  owner,
  blueprints,
}: Pick<OwnerInput, "blueprints" | "owner">): ServiceAccount {
  const read = blueprints.flatMap((object) => readBlueprint(object) ?? []);
  const choice = chooseBlueprint(owner, read);
  return serviceAccountOf(owner, choice.kind === "chosen" ? choice.blueprint : undefined);
}

/** In the order of what they take; what they are told of in the order in which they are written. */
function realizeSteps(
  { owner, templateOf, world }: OwnerInput,
  blueprint: Blueprint,
  steps: readonly KubernetesStep[],
): readonly StepResult[] {
  const emitted = new Map<string, StepOutput>();
  const results = new Map<string, StepResult>();
  const claims = new Map<string, string>();
  const silent = new Set<string>();
  const given = { owner, blueprint, emitted, silent, templateOf, claims, world };
  for (const step of steps) {
    const result = realizeStep({ ...given, step });
    results.set(step.name, result);
    if (result.output !== undefined) emitted.set(step.name, result.output);
    else if (isAtRest(result)) silent.add(step.name);
  }
  return blueprint.steps.flatMap(({ name }) => results.get(name) ?? []);
}

/** Reasons that pass by themselves: then outputs are on their way. */
const passingReasons: ReadonlySet<string> = new Set([
  "Rendering",
  "Submitting",
  "Terminating",
  "WaitingForDependencies",
  "WaitingForInputs",
]);

/** Whether a step emits nothing, and will not by what is already under way. */
function isAtRest({ actions, submitted }: StepResult): boolean {
  return actions.length === 0 && !passingReasons.has(submitted.reason);
}

type KubernetesStep = Blueprint["steps"][number];

/** Nothing can be stamped for now, and nothing goes. */
function keeping(
  { owner, family, world }: OwnerInput,
  ready: Submitted,
  submitted: Submitted | undefined,
  blueprint: Blueprint | undefined,
): Realization {
  const status = ownerStatus({ owner, family, ready, submitted, blueprint, now: world.now });
  return { actions: [], status, blueprint, account: serviceAccountOf(owner, blueprint) };
}

/** No blueprint serves the owner: what an earlier one stamped goes, unless it is not clear which one does. */
function unserved(
  input: OwnerInput,
  choice: Exclude<BlueprintChoice, { kind: "chosen" }>,
): Realization {
  const { owner, family, world } = input;
  const ready = { status: "False", ...unservedReason(owner, family, choice) } as const;
  const kept = keeping(input, ready, undefined, undefined);
  if (choice.kind !== "none") return kept;
  const { actions, stays } = settleRemovals(allOrphans(world.live));
  const status = ownerStatus({
    owner,
    family,
    ready,
    results: [],
    stays,
    blueprint: undefined,
    now: world.now,
  });
  return { ...kept, actions, status };
}

function unservedReason(
  owner: KubernetesObject,
  family: Family,
  choice: Exclude<BlueprintChoice, { kind: "chosen" }>,
): { readonly reason: string; readonly message: string } {
  const { blueprintName, ownerName } = family;
  const { labels = {} } = owner.metadata;
  const isCartographer = speaksCartographer(owner);
  switch (choice.kind) {
    case "several":
      return {
        reason: family.multiple,
        message: isCartographer
          ? unservedWords(family, choice.kind, labels)
          : `${ownerName} may only match a single ${blueprintName}'s selector, it matches equally well: ${choice.blueprints.map(({ name }) => name).join(", ")}`,
      };
    case "unjudged":
      return {
        reason: family.notFound,
        message: `the selector of ${blueprintName} ${choice.blueprint.name} cannot be judged: ${choice.problem}`,
      };
    case "none": {
      const why = choice.candidates.map(
        ({ blueprint, match }) =>
          `${blueprint.name} (${match.verdicts
            .filter(({ outcome }) => outcome !== "yes")
            .map(verdictText)
            .join(", ")})`,
      );
      const hasLabels = Object.keys(labels).length > 0;
      return {
        reason: hasLabels ? family.notFound : family.labelsMissing,
        message: isCartographer
          ? unservedWords(family, choice.kind, labels)
          : `${hasLabels ? "" : `${ownerName} has no labels; `}no ${blueprintName} found where full selector is satisfied${why.length === 0 ? "" : `: ${why.join("; ")}`}`,
      };
    }
  }
}
