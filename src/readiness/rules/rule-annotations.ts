import { type Diagnostic, nearest } from "../../diagnostics/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { RuleProblem } from "./readiness-rules.ts";

const names = [
  "ReadyWhenFieldPath",
  "ReadyWhenFieldValue",
  "ReadyWhenExistsKind",
  "ReadyWhenExistsVersion",
  "OutputNameModeField",
  "OutputNameSetterField",
  "OutputNameField",
] as const;

export type RuleAnnotationName = (typeof names)[number];

const prefixes = ["smith.atlassian.com/", "smith.a.c/", "keelson.dev/"] as const;
const spellings = ["Tpr", "Cr", "Crd"] as const;

const nameByKey = new Map<string, RuleAnnotationName>(
  prefixes.flatMap((prefix) =>
    spellings.flatMap((spelling) =>
      names.map((name) => [`${prefix}${spelling}${name}`, name] as const),
    ),
  ),
);

/** One annotation as it was written. */
export interface RuleAnnotation {
  readonly key: string;
  readonly value: string;
}

export interface RuleAnnotations {
  readonly found: Partial<Readonly<Record<RuleAnnotationName, RuleAnnotation>>>;
  readonly problems: readonly RuleProblem[];
}

/** The readiness annotations of a definition, whatever their spelling. */
export function ruleAnnotations(definition: KubernetesObject, subject: string): RuleAnnotations {
  const found: Partial<Record<RuleAnnotationName, RuleAnnotation>> = {};
  const problems: RuleProblem[] = [];
  for (const [key, value] of Object.entries(definition.metadata.annotations ?? {})) {
    const name = nameByKey.get(key);
    if (name === undefined) {
      if (looksLikeRule(key)) problems.push(unknownAnnotation(key, subject));
      continue;
    }
    const known = found[name];
    if (known === undefined) found[name] = { key, value };
    else if (known.value !== value) problems.push(conflict(known, { key, value }, subject));
  }
  return { found, problems };
}

/** The name of a partner in the spelling that the user has chosen for this annotation. */
export function spelledLike(key: string, name: RuleAnnotationName): string {
  const known = nameByKey.get(key) ?? "";
  return `${key.slice(0, key.length - known.length)}${name}`;
}

const ruleLike = /\/(?:Tpr|Crd?)?(?:ReadyWhen|OutputName)/i;

function looksLikeRule(key: string): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix)) && ruleLike.test(key);
}

function unknownAnnotation(key: string, subject: string): RuleProblem {
  const guess = nearest(key, nameByKey.keys());
  const diagnostic: Diagnostic = {
    code: "readiness.unknown-annotation",
    severity: "warning",
    summary: `${subject} has an annotation that nobody knows: ${key}`,
    hint: guess === undefined ? undefined : `Did you mean ${guess}?`,
    subject,
  };
  return { annotation: key, diagnostic };
}

function conflict(first: RuleAnnotation, second: RuleAnnotation, subject: string): RuleProblem {
  const diagnostic: Diagnostic = {
    code: "readiness.conflicting-annotations",
    severity: "error",
    summary: `${subject} says ${first.key}: ${JSON.stringify(first.value)} and ${second.key}: ${JSON.stringify(second.value)}`,
    hint: "Keep one of the two; they mean the same annotation.",
    subject,
  };
  return { annotation: second.key, diagnostic };
}
