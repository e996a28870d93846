import { fail, formatPosition, type SourceRange } from "../diagnostics/index.ts";
import type { EvaluationRun } from "./evaluation-run.ts";

/** A function given to `map` runs while applying, when the plan is made already. */
export function failLate(run: EvaluationRun, className: string): never {
  const source = run.settings.currentPlace();
  return fail({
    code: "program.late-allocation",
    summary: `${className} is allocated after the program was evaluated`,
    hint: "Allocate it outside of the function, and give the function data only",
    ...(source === undefined ? {} : { source }),
  });
}

export function reportUnknownPlace(run: EvaluationRun, className: string): void {
  const source = run.settings.currentPlace();
  run.report({
    code: "program.unknown-place",
    severity: "error",
    summary: `${className || "A resource"} is allocated by code that Keelson does not read, so it has no name`,
    detail: "Only the modules of the project, and packages that declare keelson, are read.",
    hint: 'Add "keelson": {} to the package.json of the package that allocates it or defines its class',
    ...(source === undefined ? {} : { source }),
  });
}

export function reportArguments(
  run: EvaluationRun,
  className: string,
  problem: string,
  source: SourceRange,
): void {
  run.report({
    code: "program.bad-arguments",
    severity: "error",
    summary: `${className} cannot be allocated: ${problem}`,
    hint: "A resource takes (properties, options) or (id, properties, options)",
    source,
  });
}

export function reportDuplicate(
  run: EvaluationRun,
  name: string,
  source: SourceRange,
  isGlobal: boolean,
): void {
  const first = run.recordsByName.get(name)?.source;
  const place = first === undefined ? "an unknown place" : formatPosition(first);
  run.report({
    code: "program.duplicate-name",
    severity: "error",
    summary: `Two resources have the name ${name}`,
    detail: `The other one is allocated at ${place}.`,
    hint: isGlobal ? "Give each its own global id" : "Give each its own id as the first argument",
    subject: name,
    source,
  });
}
