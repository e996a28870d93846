/** What can be wrong with the text that says which component is meant. */
import { type Diagnostic, formatPosition, type SourceRange } from "../diagnostics/index.ts";
import { type AssemblyObject, describeObject, fullIdentifier } from "./assembly-object.ts";
import type { ComponentDraft } from "./component-draft.ts";
import type { IdentifierIndex } from "./identifier-index.ts";
import { linesOf } from "./suggestions.ts";

type Source = SourceRange | undefined;

export function ambiguousWorkload(
  text: string,
  matches: readonly AssemblyObject[],
  workloads: IdentifierIndex,
  source: Source,
): Diagnostic {
  const longer = matches.slice(0, 3).map((match) => `"${workloads.shortest(match)}"`);
  return {
    code: "assembly.ambiguous-workload",
    severity: "error",
    summary: `"${text}" does not say which workload is meant: ${matches.length} match`,
    detail: `It matches${linesOf(matches, describeObject)}`,
    hint: `Say more, for example ${longer.join(" or ")}.`,
    source,
  };
}

export function twoMeanings(
  text: string,
  first: ComponentDraft,
  others: readonly ComponentDraft[],
  source: Source,
): Diagnostic {
  const { workload } = first;
  const example = workload === undefined ? "" : `, for example "${fullIdentifier(workload)}"`;
  return {
    code: "assembly.ambiguous-name",
    severity: "error",
    summary: `"${text}" means more than one component, as an identifier or by its name`,
    detail: `It means${linesOf([first, ...others], describeDraft)}`,
    hint: `Write a longer identifier${example}.`,
    source,
  };
}

function describeDraft({ name, workload }: ComponentDraft): string {
  const of = workload === undefined ? "" : ` of ${describeObject(workload)}`;
  return `the component "${name}"${of}`;
}

export function unknownWorkload(
  text: string,
  names: readonly string[],
  near: string | undefined,
  source: Source,
): Diagnostic {
  return {
    code: "assembly.unknown-workload",
    severity: "error",
    summary: `there is no workload "${text}"`,
    detail:
      names.length === 0
        ? "There are no workloads."
        : `The components are${linesOf(names, String)}`,
    hint:
      near === undefined
        ? "Give the object of the workload too, or declare its kind as a workload kind."
        : `Did you mean "${near}"?`,
    source,
  };
}

export function noWorkload(text: string, object: AssemblyObject, source: Source): Diagnostic {
  return {
    code: "assembly.unknown-workload",
    severity: "error",
    summary: `"${text}" is no workload, but a ${object.kind}`,
    detail: `It matches ${describeObject(object)}.`,
    hint: `Name it in the objects of a component, or declare ${object.kind} as a workload kind.`,
    source,
  };
}

export function localNamed(text: string, { origin }: ComponentDraft, source: Source): Diagnostic {
  const where = origin.source === undefined ? "" : `, at ${formatPosition(origin.source)}`;
  return {
    code: "assembly.unknown-workload",
    severity: "error",
    summary: `"${text}" is a local component, not a workload`,
    hint: `Set its options where it is declared${where}.`,
    source,
  };
}
