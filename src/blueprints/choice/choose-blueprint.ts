import type { KubernetesObject } from "../../objects/index.ts";
import type { Blueprint } from "../model/blueprint.ts";
import { matchSelector, type SelectorMatch } from "./match-selector.ts";
import { ownerSubject } from "./owner-subject.ts";

export interface BlueprintCandidate {
  readonly blueprint: Blueprint;
  readonly match: SelectorMatch;
}

/** Which blueprint serves an owner, with the verdict on every other. */
export type BlueprintChoice = { readonly candidates: readonly BlueprintCandidate[] } & (
  | { readonly kind: "chosen"; readonly blueprint: Blueprint }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly blueprints: readonly Blueprint[] }
  | { readonly kind: "unjudged"; readonly blueprint: Blueprint; readonly problem: string }
);

/** Of those whose requirements are all met, the one with most of them. */
export function chooseBlueprint(
  owner: KubernetesObject,
  blueprints: readonly Blueprint[],
): BlueprintChoice {
  const candidates = blueprints
    .map((blueprint) => ({
      blueprint,
      match: matchSelector(blueprint.selector, ownerSubject(owner, blueprint.family)),
    }))
    .sort((left, right) => (left.blueprint.name < right.blueprint.name ? -1 : 1));
  const matching = candidates.filter(({ match }) => match.outcome === "yes");
  const best = Math.max(...matching.map(({ match }) => match.score));
  const winners = matching.filter(({ match }) => match.score === best);
  const [winner, ...others] = winners.map(({ blueprint }) => blueprint);
  if (winner === undefined) {
    const broken = candidates.find(({ match }) => match.problem !== undefined);
    return broken?.match.problem === undefined
      ? { kind: "none", candidates }
      : {
          kind: "unjudged",
          blueprint: broken.blueprint,
          problem: broken.match.problem,
          candidates,
        };
  }
  return others.length === 0
    ? { kind: "chosen", blueprint: winner, candidates }
    : { kind: "several", blueprints: [winner, ...others], candidates };
}
