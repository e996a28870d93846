import { equalValues, type JsonValue, stringifyJson } from "../../json/index.ts";
import { evaluatePath } from "./evaluate-path.ts";
import { emittedRoots } from "./key-roots.ts";
import type { FieldRequirement, LabelRequirement, Requirement } from "./requirement.ts";

/** One requirement and what became of it. */
export interface Verdict {
  /** As people read it: `workload.spec.source.git Exists`. */
  readonly text: string;
  readonly outcome: "yes" | "no" | "unknown";
  /** Why it cannot be judged: it is then neither met nor unmet, but an error. */
  readonly problem?: string | undefined;
}

/** What requirements are judged by. */
export interface Subject {
  readonly labels: Readonly<Record<string, string>>;
  /** The value that keys of fields are paths on. */
  readonly root: JsonValue;
  /** Whether what a key leads to is not known yet: an earlier step has not emitted it. */
  readonly isUnknown?: ((key: string) => boolean) | undefined;
}

export function judge(requirement: Requirement, subject: Subject): Verdict {
  return requirement.kind === "label"
    ? { text: requirementText(requirement), outcome: labelOutcome(requirement, subject.labels) }
    : judgeField(requirement, subject);
}

export function judgeField(requirement: FieldRequirement, subject: Subject): Verdict {
  const text = requirementText(requirement);
  if (subject.isUnknown?.(requirement.key) === true) return { text, outcome: "unknown" };
  const found = evaluatePath(requirement.key, subject.root);
  switch (found.kind) {
    case "unreadable":
      return { text, outcome: "no", problem: found.message };
    case "several":
      return {
        text,
        outcome: "no",
        problem: `${requirement.key} leads to ${found.count} values, and must lead to one`,
      };
    case "missing":
      return { text, outcome: requirement.operator === "DoesNotExist" ? "yes" : "no" };
    case "value":
      return { text, outcome: isMet(requirement, found.value) ? "yes" : "no" };
  }
}

/** A null is as good as nothing: whoever sets a field to null does not set it. */
function isMet({ operator, values }: FieldRequirement, value: JsonValue): boolean {
  if (value === null) return operator === "DoesNotExist";
  const isAmong = (): boolean => values.some((each) => equalValues(each, value));
  switch (operator) {
    case "Exists":
      return true;
    case "DoesNotExist":
      return false;
    case "In":
      return isAmong();
    case "NotIn":
      return !isAmong();
  }
}

/** Labels are judged as Kubernetes does: a label that is not there is not in any list. */
function labelOutcome(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): "yes" | "no" {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const isAmong = value !== undefined && values.includes(value);
  switch (operator) {
    case "=":
    case "In":
      return isAmong ? "yes" : "no";
    case "NotIn":
      return isAmong ? "no" : "yes";
    case "Exists":
      return value === undefined ? "no" : "yes";
    case "DoesNotExist":
      return value === undefined ? "yes" : "no";
  }
}

export function requirementText({ kind, key, operator, values }: Requirement): string {
  const subject = kind === "label" ? `label ${key}` : key;
  if (operator === "=") return `${subject} = ${values.join()}`;
  const isSet = operator === "In" || operator === "NotIn";
  return isSet
    ? `${subject} ${operator} [${values.map((value) => stringifyJson(value)).join(", ")}]`
    : `${subject} ${operator}`;
}

/** `workload.spec.source.git Exists: no`. */
export function verdictText({ text, outcome, problem }: Verdict): string {
  if (problem !== undefined) return `${text}: ${problem}`;
  return `${text}: ${outcome === "unknown" ? "not known yet" : outcome}`;
}

/** The input or parameter that a key looks at, when it looks at what was emitted: `sources.app`. */
export function emittedKey(
  key: string,
): { readonly root: (typeof emittedRoots)[number]; readonly name: string } | undefined {
  const match = /^\{?\.?(\w+)(?:\.([\w-]+)|\[(?:'([^']+)'|"([^"]+)")\])/.exec(key);
  const root = emittedRoots.find((each) => each === match?.[1]);
  return root === undefined
    ? undefined
    : { root, name: match?.[2] ?? match?.[3] ?? match?.[4] ?? "" };
}
