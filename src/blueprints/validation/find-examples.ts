import { validate } from "../../schema/index.ts";
import { type JsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { chooseOption } from "../choice/choose-option.ts";
import { matchSelector } from "../choice/match-selector.ts";
import { ownerSubject } from "../choice/owner-subject.ts";
import { blueprintVersion } from "../groups.ts";
import type { Blueprint, Step, TemplateOption } from "../model/blueprint.ts";
import type { Requirement } from "../requirements/requirement.ts";
import { candidateValues, type Facet, facetsOf } from "./facets.ts";
import { placeValue } from "./place-value.ts";
import { schemaOf } from "./schema-of.ts";

export interface Example {
  readonly example: KubernetesObject;
  /** What earlier steps must have emitted for it: `sources.app.revision is "java"`. */
  readonly emitted: readonly string[];
}

export interface Examples {
  readonly overlaps: readonly (Example & { readonly options: readonly TemplateOption[] })[];
  readonly gap: Example | undefined;
  /** Whether everything was tried that options and selector can tell apart. */
  readonly isComplete: boolean;
}

/** More combinations are not tried. */
const mostTried = 20_000;

/**
 * Looks for owners that a blueprint serves and for which a step has no option, or too many. Tried are
 * all combinations of what its requirements can tell apart, those with the fewest fields first; every
 * example is judged by the rules that the controller uses, and is one that the API server would take.
 */
export function findExamples(blueprint: Blueprint, step: Step): Examples {
  const options = step.choice.kind === "options" ? step.choice.options : [];
  const requirements: readonly Requirement[] = [
    ...blueprint.selector,
    ...options.flatMap(({ selector }) => selector),
  ];
  const facets = facetsOf(requirements, blueprint.family.ownerName);
  const choices = facets.map((facet) => candidateValues(facet, blueprint));
  const overlaps = new Map<string, Examples["overlaps"][number]>();
  let gap: Example | undefined;
  let tried = 0;
  for (const combination of combinations(choices)) {
    if (++tried > mostTried) break;
    const made = makeExample(blueprint, facets, combination);
    if (made === undefined) continue;
    const { owner, root, emitted } = made;
    const subject = ownerSubject(owner, blueprint.family, root);
    if (matchSelector(blueprint.selector, subject).outcome !== "yes") continue;
    const choice = chooseOption(step, blueprint.optionMatching, subject);
    if (choice.kind !== "mismatch") continue;
    if (choice.matched.length === 0) gap ??= { example: owner, emitted };
    else {
      const key = choice.matched.map((option) => options.indexOf(option)).join();
      const isShown = [...overlaps.keys()].some((known) => isWithin(known, key));
      if (!isShown) overlaps.set(key, { example: owner, emitted, options: choice.matched });
    }
  }
  return { overlaps: [...overlaps.values()], gap, isComplete: tried <= mostTried };
}

/** Whether an overlap was shown already, between some of the same options. */
function isWithin(known: string, key: string): boolean {
  const all = new Set(key.split(","));
  return known.split(",").every((each) => all.has(each));
}

/** All ways to take one of each, those with the fewest fields that are set first. */
function* combinations(
  choices: readonly (readonly (JsonValue | undefined)[])[],
): Generator<readonly (JsonValue | undefined)[]> {
  for (let present = 0; present <= choices.length; present++)
    yield* withPresent(choices, 0, present);
}

function* withPresent(
  choices: readonly (readonly (JsonValue | undefined)[])[],
  from: number,
  present: number,
): Generator<readonly (JsonValue | undefined)[]> {
  const here = choices[from];
  if (here === undefined) {
    if (present === 0) yield [];
    return;
  }
  if (present > choices.length - from) return;
  for (const value of here) {
    const left = value === undefined ? present : present - 1;
    if (left < 0) continue;
    for (const rest of withPresent(choices, from + 1, left)) yield [value, ...rest];
  }
}

interface Made {
  readonly owner: KubernetesObject;
  readonly root: JsonObject;
  readonly emitted: readonly string[];
}

function makeExample(
  blueprint: Blueprint,
  facets: readonly Facet[],
  values: readonly (JsonValue | undefined)[],
): Made | undefined {
  const { group, family } = blueprint;
  const owner: JsonObject = {
    apiVersion: `${group}/${blueprintVersion}`,
    kind: family.ownerKind,
    metadata: { name: "example", namespace: "default" },
    spec: {},
  };
  const root: JsonObject = { [family.ownerName]: owner, params: {} };
  const emitted: string[] = [];
  for (const [index, facet] of facets.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    if (!placeValue(root, facet.path, value)) return undefined;
    if (facet.isEmitted) emitted.push(`${facet.key} is ${stringifyJson(value)}`);
  }
  const schema = schemaOf(owner as unknown as KubernetesObject);
  if (schema !== undefined && validate(schema, owner).length > 0) return undefined;
  const { [family.ownerName]: _owner, ...inputs } = root;
  return {
    owner: owner as unknown as KubernetesObject,
    root: { sources: {}, images: {}, configs: {}, ...inputs },
    emitted,
  };
}
