import { type Explanation, optionName, used, verdictText } from "../../blueprints/index.ts";
import { type JsonValue, stringifyJson } from "../../json/index.ts";
import { withoutOwners } from "../../objects/index.ts";
import { fieldDiff } from "../../plan/index.ts";
import type { OutputFormat } from "../output-flag.ts";

interface StepDifference {
  readonly step: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly requirements: readonly string[];
  readonly fields: ReturnType<typeof fieldDiff>;
}

/** What would be different for another owner: the blueprint, the options, and what is stamped. */
export function explanationDiff(
  before: Explanation,
  after: Explanation,
  output: OutputFormat,
): string {
  const names = [nameOf(before), nameOf(after)] as const;
  const chains = [blueprintOf(before), blueprintOf(after)] as const;
  const steps = stepDifferences(before, after);
  if (output === "json")
    return `${stringifyJson({ type: "difference", owners: names, blueprints: chains, steps })}\n`;
  const lines: string[] = [];
  if (chains[0] !== chains[1]) lines.push(`served by ${chains[0]} → ${chains[1]}`);
  for (const { step, before: was, after: is, requirements, fields } of steps) {
    lines.push(
      was === is
        ? `${step}: ${is ?? ""}`
        : `${step}: ${was ?? "(no such step)"} → ${is ?? "(no such step)"}`,
    );
    for (const requirement of requirements) lines.push(`    ${requirement}`);
    for (const { path, before: old, after: now } of fields)
      lines.push(`    ${path}: ${shown(old)} → ${shown(now)}`);
  }
  if (lines.length === 0) lines.push(`nothing is different for ${names[1]}`);
  return `${lines.join("\n")}\n`;
}

function stepDifferences(before: Explanation, after: Explanation): readonly StepDifference[] {
  const names = new Set([...before.steps, ...after.steps].map(({ step }) => step.name));
  return [...names].flatMap((name) => {
    const was = before.steps.find(({ step }) => step.name === name);
    const is = after.steps.find(({ step }) => step.name === name);
    const fields = fieldDiff(objectOf(was), objectOf(is));
    const texts = [was, is].map((each) => (each === undefined ? undefined : used(each)));
    const requirements = (is?.choice.candidates ?? []).flatMap(({ option, match }) => {
      const name = optionName(option);
      const earlier = was?.choice.candidates.find((each) => optionName(each.option) === name);
      return match.verdicts
        .filter(
          ({ text, outcome }) =>
            earlier !== undefined &&
            earlier.match.verdicts.find((each) => each.text === text)?.outcome !== outcome,
        )
        .map((verdict) => verdictText(verdict));
    });
    const isSame = texts[0] === texts[1] && fields.length === 0;
    return isSame ? [] : [{ step: name, before: texts[0], after: texts[1], requirements, fields }];
  });
}

function objectOf(step: Explanation["steps"][number] | undefined): JsonValue | undefined {
  if (step?.result.kind !== "stamped") return undefined;
  // Whom it belongs to is what the two are asked about.
  return withoutOwners(step.result.object) as unknown as JsonValue;
}

function blueprintOf({ choice }: Explanation): string {
  return choice.kind === "chosen" ? choice.blueprint.name : `(${choice.kind})`;
}

function nameOf({ owner }: Explanation): string {
  return `${owner.kind} ${owner.metadata.name ?? ""}`;
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "(nothing)";
  return typeof value === "string" ? value : stringifyJson(value);
}
