import { type Diagnostic, DiagnosticError, type SourceRange } from "../../diagnostics/index.ts";
import type { Deferred } from "./deferred.ts";
import { describeDeferred } from "./describe.ts";
import { type Place, rangeOf } from "./place.ts";

const rejections: Diagnostic[] = [];
const staging =
  "or plan in stages, if it decides which resources there are: --allow-provisioned-conditions";
const mostRejections = 100;
let ambient: Place | undefined;

/**
 * What this evaluation did with values that are not known yet and must not. A program can catch the
 * error, but not this record: an evaluation that has any is a failed one.
 */
export function takeRejections(): readonly Diagnostic[] {
  return rejections.splice(0);
}

/** Refuses a decision on a value: records it and throws. */
export function reject(
  deferred: Deferred,
  what: string,
  place?: Place | SourceRange,
  hint?: string,
): never {
  const name = describeDeferred(deferred);
  const diagnostic: Diagnostic = {
    code: "program.provisioned-decision",
    severity: "error",
    summary: `${name} is not known before it is applied, and here it ${what}`,
    detail:
      "A plan must be the same whatever the value turns out to be, so the program cannot depend on it.",
    hint: [
      hint ?? "compute from it when it is known: output(value).map((value) => …)",
      staging,
    ].join("\n"),
    ...(place === undefined ? {} : { source: "module" in place ? rangeOf(place) : place }),
  };
  if (rejections.length < mostRejections) rejections.push(diagnostic);
  throw new DiagnosticError([diagnostic]);
}

/** Finds where the rewritten code stands that a stack leads through. */
export type PlaceFinder = (error: Error) => SourceRange | undefined;
let findPlace: PlaceFinder = () => undefined;

/** Lets the loader, which knows where its modules come from, find places by stacks. */
export function setPlaceFinder(finder: PlaceFinder): void {
  findPlace = finder;
}

/** Refuses where nothing asked before: the place is that of the call under way, else the stack tells. */
export function rejectHere(deferred: Deferred, what: string): never {
  return reject(deferred, what, ambient ?? findPlace(new Error(what)));
}

/** Runs a call that may meet provisioned values in code that is not rewritten. */
export function atPlace<T>(place: Place, run: () => T): T {
  const outer = ambient;
  ambient = place;
  try {
    return run();
  } finally {
    ambient = outer;
  }
}
