import {
  explainOwner,
  type Explanation,
  familyOfOwner,
  optionName,
  type StepExplanation,
  used,
  verdictText,
} from "../blueprints/index.ts";
import { type JsonObject, objectsIn } from "../json/index.ts";
import {
  groupOf,
  isSecret,
  maskedValue,
  maskSecrets,
  scopeLookup,
  writeYaml,
} from "../objects/index.ts";
import { isBundle } from "../bundles/index.ts";
import { bundleDetail } from "./bundle-owner.ts";
import type { OptionView, OutputView, OwnerDetail, OwnerView, StepDetail } from "./chain-view.ts";
import type { ChainWorld, WorldOwner, WorldStep } from "./chain-world.ts";
import { conditionViews } from "./detail-of.ts";
import { viewOfObject } from "./object-view.ts";
import { textOf } from "./text-of.ts";

/** What the list of owners shows of one. */
export function ownerView({
  key,
  object,
  verdict,
  blueprint,
  steps,
  version,
}: WorldOwner): OwnerView {
  const { apiVersion, kind, metadata } = object;
  return {
    key,
    apiVersion,
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    created: metadata.creationTimestamp ?? "",
    blueprint,
    isBundle: isBundle(object),
    ...verdict,
    steps: steps.map(({ name, template, takes, verdict: stepVerdict, stamped }) => ({
      name,
      template,
      takes,
      ...stepVerdict,
      ...(stamped === undefined ? {} : { object: viewOfObject(stamped) }),
    })),
    version,
  };
}

/** The way of an owner through its blueprint: what was chosen and why, and what has come of it. */
export function ownerDetail(owner: WorldOwner, chains: ChainWorld): OwnerDetail {
  if (isBundle(owner.object)) return bundleDetail(owner);
  const explanation = explain(owner, chains);
  const told = new Map(owner.steps.map((step) => [step.name, step]));
  const isChosen = (name: string): boolean =>
    explanation?.choice.kind === "chosen" && explanation.choice.blueprint.name === name;
  const steps =
    explanation === undefined || explanation.steps.length === 0
      ? owner.steps.map(toldStep)
      : inWrittenOrder(explanation).map((step) => stepDetail(step, told.get(step.step.name)));
  return {
    blueprints: (explanation?.choice.candidates ?? []).map(({ blueprint, match }) => ({
      name: blueprint.name,
      isChosen: isChosen(blueprint.name),
      verdicts: match.verdicts.map(verdictText),
    })),
    problem: explanation?.problem?.message ?? "",
    conditions: conditionViews(owner.object["status"]),
    steps,
  };
}

function explain(
  owner: WorldOwner,
  { platform, definitions }: ChainWorld,
): Explanation | undefined {
  const family = familyOfOwner(owner.object.kind);
  if (family === undefined) return undefined;
  const group = groupOf(owner.object.apiVersion);
  const same = platform.filter(({ apiVersion }) => groupOf(apiVersion) === group);
  const scopeOf = scopeLookup({ objects: definitions });
  const stamped = new Map(owner.steps.map((step) => [step.name, step.stamped?.object]));
  return explainOwner({
    owner: owner.object,
    family,
    blueprints: same.filter(({ kind }) => kind === family.blueprintKind),
    templateOf: (kind, name) =>
      same.find((object) => object.kind === kind && object.metadata.name === name),
    scopeOf: (apiVersion, kind) => scopeOf(groupOf(apiVersion), kind),
    // What ytt would give is not asked for: what it gave stands in the cluster.
    rendered: new Map(),
    stampedBy: (step) => stamped.get(step),
  });
}

/** As its author wrote them, not as they wait for each other. */
function inWrittenOrder({ choice, steps }: Explanation): readonly StepExplanation[] {
  if (choice.kind !== "chosen") return steps;
  return choice.blueprint.steps.flatMap(
    ({ name }) => steps.find(({ step }) => step.name === name) ?? [],
  );
}

function stepDetail(explained: StepExplanation, told: WorldStep | undefined): StepDetail {
  const { step, choice } = explained;
  return {
    ...(told === undefined ? nothingYet : fromStatus(told)),
    name: step.name,
    used: used(explained),
    options: choice.candidates.map(({ option, match }): OptionView => ({
      name: optionName(option),
      isChosen:
        (choice.kind === "template" && option.kind === "template" && option.name === choice.name) ||
        (choice.kind === "passThrough" &&
          option.kind === "passThrough" &&
          option.input === choice.input),
      verdicts: match.verdicts.map(verdictText),
    })),
    takes: step.inputs.map(({ kind, name, step: from }) => ({ kind, name, step: from })),
  };
}

/** A step of which only the owner still tells: its blueprint has gone or is wrong. */
function toldStep(step: WorldStep): StepDetail {
  return {
    ...fromStatus(step),
    name: step.name,
    used: step.template,
    options: [],
    takes: step.takes.map((from) => ({ kind: "", name: "", step: from })),
  };
}

type Live = Pick<StepDetail, "outputs" | "conditions" | "yaml">;
const nothingYet: Live = { outputs: [], conditions: [], yaml: "" };

function fromStatus({ status, stamped }: WorldStep): Live {
  const isHidden = stamped !== undefined && isSecret(stamped.object);
  return {
    outputs: objectsIn(status["outputs"]).map((output) => outputView(output, isHidden)),
    conditions: conditionViews(status),
    yaml: stamped === undefined ? "" : writeYaml([maskSecrets(stamped.object)]),
  };
}

/** Another controller may tell what it has read of a Secret; the page is not told. */
function outputView(output: JsonObject, isHidden: boolean): OutputView {
  return {
    name: textOf(output["name"]),
    preview: isHidden ? maskedValue : textOf(output["preview"]).trimEnd(),
    since: textOf(output["lastTransitionTime"]),
  };
}
