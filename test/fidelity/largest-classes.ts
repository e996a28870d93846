import { namedFields } from "./compare-answers.ts";
import type { Judged } from "./fuzz.ts";

/** Failures that look alike, the most frequent first. */
export function largestClasses(failures: readonly Judged[], count: number): readonly string[] {
  const classes = Map.groupBy(failures, classOf);
  return [...classes]
    .sort(([, left], [, right]) => right.length - left.length)
    .slice(0, count)
    .map(([name, members]) => `${members.length} × ${name}${exampleOf(members)}`);
}

function classOf({ kind, verb, outcome, mutation }: Judged): string {
  const path = mutation.path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
  return `${outcome}: ${verb} of ${kind}, ${path}`;
}

function exampleOf([first]: readonly Judged[]): string {
  if (first === undefined) return "";
  const { mutation, real, sandbox } = first;
  const value = JSON.stringify(mutation.value) ?? "";
  const answer = ({ status, body }: Judged["real"]): string => {
    const fields = namedFields({ status, body }).join(" ");
    const message = typeof body["message"] === "string" ? body["message"] : "";
    return status < 300 ? "taken" : `${status} ${fields === "" ? message.slice(0, 160) : fields}`;
  };
  return `\n    ${mutation.what} ${value.slice(0, 80)}\n    real    ${answer(real)}\n    sandbox ${answer(sandbox)}`;
}
