import type { Diagnostic } from "../diagnostics/index.ts";
import { fieldAt } from "../json/index.ts";
import { formatIdentity, identityOf, type KubernetesObject } from "../objects/index.ts";
import type { ReadinessRules } from "../readiness/index.ts";
import { subdomainProblems } from "../schema/index.ts";

export const outputModes = ["Random", "ContentsHash", "Fixed"] as const;

/** How an output gets its name: a new one with every change, one that follows its contents, or one that is given. */
export type OutputMode = (typeof outputModes)[number];

export type OutputNaming =
  | { readonly kind: "naming"; readonly mode: "Random" | "ContentsHash" }
  | { readonly kind: "naming"; readonly mode: "Fixed"; readonly name: string }
  /** The user must act; trying again is of no use before. */
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] };

/**
 * How the output of a claim is to be named, from the fields that its definition names. A definition
 * that leaves the choice to nobody means ContentsHash.
 */
export function outputNaming(claim: KubernetesObject, rules: ReadinessRules): OutputNaming {
  const broken = rules.problems.map(({ diagnostic }) => diagnostic);
  if (broken.some(({ severity }) => severity === "error"))
    return { kind: "refused", diagnostics: broken };
  const { mode: modePath, setter } = rules.outputNames;
  if (modePath === undefined) return { kind: "naming", mode: "ContentsHash" };
  const mode = fieldAt(claim, ...modePath);
  switch (mode) {
    case "Random":
    case "ContentsHash":
      return { kind: "naming", mode };
    case "Fixed":
      return fixedName(claim, setter);
    default:
      return unknownMode(claim, modePath, mode);
  }
}

function fixedName(claim: KubernetesObject, setter: readonly string[] | undefined): OutputNaming {
  if (setter === undefined) {
    const summary = "its mode is Fixed, and its definition names no field for the name";
    const hint = "Add the annotation OutputNameSetterField to the definition.";
    return refused(claim, "outputs.fixed-name", summary, hint);
  }
  const field = setter.join(".");
  const name = fieldAt(claim, ...setter);
  if (name === undefined || name === null || name === "") {
    const summary = `its mode is Fixed, and ${field} gives no name`;
    return refused(claim, "outputs.fixed-name", summary, `Write a name into ${field}.`);
  }
  const [problem] =
    typeof name === "string" ? subdomainProblems(name) : ["it must be a text in quotes"];
  if (problem !== undefined || typeof name !== "string") {
    const summary = `${field} is ${JSON.stringify(typeof name === "bigint" ? String(name) : name)}, which is no name: ${problem ?? ""}`;
    const hint = "Write lower-case letters, digits, dashes and dots, such as my-secret.";
    return refused(claim, "outputs.fixed-name", summary, hint);
  }
  return { kind: "naming", mode: "Fixed", name };
}

function unknownMode(
  claim: KubernetesObject,
  path: readonly string[],
  mode: unknown,
): OutputNaming {
  const field = path.join(".");
  const summary =
    mode === undefined || mode === null || mode === ""
      ? `${field} does not say how its output is named`
      : `${field} is ${JSON.stringify(mode)}, which is no way to name an output`;
  return refused(claim, "outputs.unknown-mode", summary, `Write ${outputModes.join(", ")}.`);
}

/** Something that only the user can put right. */
export function refused(
  claim: KubernetesObject,
  code: Diagnostic["code"],
  summary: string,
  hint: string,
): { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] } {
  const subject = formatIdentity(identityOf(claim));
  return {
    kind: "refused",
    diagnostics: [{ code, severity: "error", summary: `${subject}: ${summary}`, hint, subject }],
  };
}
