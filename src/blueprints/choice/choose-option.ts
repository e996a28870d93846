import type { OptionMatching, Step, TemplateOption } from "../model/blueprint.ts";
import { optionName } from "../model/blueprint.ts";
import { type Subject, verdictText } from "../requirements/judge.ts";
import { matchSelector, type SelectorMatch } from "./match-selector.ts";

export interface OptionCandidate {
  readonly option: TemplateOption;
  readonly match: SelectorMatch;
}

/** What a step uses for an owner, with the verdict on every option. */
export type OptionChoice = { readonly candidates: readonly OptionCandidate[] } & (
  | { readonly kind: "template"; readonly name: string }
  | { readonly kind: "passThrough"; readonly input: string }
  /** None matched, or several did. */
  | { readonly kind: "mismatch"; readonly matched: readonly TemplateOption[] }
  /** A requirement looks at what is not there yet. */
  | { readonly kind: "undecided" }
  | { readonly kind: "unjudged"; readonly option: TemplateOption; readonly problem: string }
);

export function chooseOption(step: Step, matching: OptionMatching, subject: Subject): OptionChoice {
  if (step.choice.kind === "template")
    return { kind: "template", name: step.choice.name, candidates: [] };
  const candidates = step.choice.options.map((option) => ({
    option,
    match: matchSelector(option.selector, subject),
  }));
  const broken = candidates.find(({ match }) => match.problem !== undefined);
  if (broken?.match.problem !== undefined)
    return { kind: "unjudged", option: broken.option, problem: broken.match.problem, candidates };
  if (candidates.some(({ match }) => match.outcome === "unknown"))
    return { kind: "undecided", candidates };
  const matched = candidates.filter(({ match }) => match.outcome === "yes");
  const winners = matching === "exactlyOne" ? matched : mostSpecific(matched);
  const [winner, ...others] = winners.map(({ option }) => option);
  if (winner === undefined || others.length > 0)
    return { kind: "mismatch", matched: winners.map(({ option }) => option), candidates };
  return winner.kind === "template"
    ? { kind: "template", name: winner.name, candidates }
    : { kind: "passThrough", input: winner.input, candidates };
}

function mostSpecific(matched: readonly OptionCandidate[]): readonly OptionCandidate[] {
  const best = Math.max(...matched.map(({ match }) => match.score));
  return matched.filter(({ match }) => match.score === best);
}

/** What is wrong when not exactly one option matched: every option with each of its verdicts. */
export function mismatchText(
  step: string,
  blueprint: string,
  matched: readonly TemplateOption[],
  candidates: readonly OptionCandidate[],
): string {
  const names = matched.map(optionName).join(", ");
  const found = matched.length === 0 ? "none did" : `${matched.length} did: ${names}`;
  const reasons = candidates
    .map(
      ({ option, match }) =>
        `${optionName(option)} (${match.verdicts.map(verdictText).join(", ")})`,
    )
    .join("; ");
  return `exactly one option must match for resource [${step}] in ${blueprint}, ${found}; ${reasons}`;
}
