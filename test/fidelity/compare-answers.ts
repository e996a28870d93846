import type { Reply } from "./servers.ts";

/** How the judgements of both servers on one object compare. */
export type Outcome =
  | "both accept"
  | "both refuse"
  | "other field"
  | "valid refused"
  | "invalid accepted";

export function compareAnswers(real: Reply, sandbox: Reply): Outcome {
  const isValid = real.status < 300;
  const isTaken = sandbox.status < 300;
  if (isValid) return isTaken ? "both accept" : "valid refused";
  if (isTaken) return "invalid accepted";
  return namedFields(real).join() === namedFields(sandbox).join() ? "both refuse" : "other field";
}

/** The fields that a refusal names, each once. */
export function namedFields({ body }: Reply): readonly string[] {
  const { causes = [] } = (body["details"] ?? {}) as {
    readonly causes?: readonly { readonly field?: string }[];
  };
  return [...new Set(causes.map(({ field = "" }) => field))].sort();
}
