import type { PlannedChange } from "../../engine/index.ts";
import { stringifyJson } from "../../json/index.ts";
import { formatIdentity } from "../../objects/index.ts";
import {
  type FieldChange,
  hasOpenHoles,
  isRecordIdentity,
  knownAfterApply,
  labelOfNode,
} from "../../plan/index.ts";
import type { CliContext } from "../context.ts";
import type { OutputFormat } from "../output-flag.ts";
import { planCounts } from "./plan-counts.ts";

/** What is going to be done with an object. */
export function actionOf({ node, changes, refusal }: PlannedChange): string {
  if (node.kind === "prune") return node.action === "delete" ? "prune" : node.action;
  if (refusal !== undefined) return "refused";
  // The dry run knows better than the comparison.
  return node.action === "update" &&
    changes.length === 0 &&
    node.replacement === undefined &&
    !hasOpenHoles(node) &&
    !isRecordIdentity(node.identity)
    ? "unchanged"
    : node.action;
}

/** Shows a plan: what is going to be done, field by field, and how much of it. */
export function printPlan(
  context: CliContext,
  output: OutputFormat,
  planned: readonly PlannedChange[],
): void {
  const { stdout } = context.process;
  const visible = planned.filter((each) => actionOf(each) !== "forget");
  if (output === "json") {
    const timestamp = new Date().toISOString();
    for (const each of visible) {
      const { node, changes, refusal } = each;
      stdout.write(
        `${stringifyJson({ timestamp, type: "plan", object: node.identity, resource: node.kind === "apply" ? node.resource?.name : undefined, status: actionOf(each), reason: node.reason, message: refusal ?? node.message, changes })}\n`,
      );
    }
    stdout.write(
      `${stringifyJson({ timestamp, type: "summary", counts: countActions(visible) })}\n`,
    );
    return;
  }
  for (const each of visible) for (const line of linesOf(each, context)) stdout.write(`${line}\n`);
  stdout.write(`${context.style.stdout.bold(planCounts(countActions(visible)))}\n`);
}

function countActions(planned: readonly PlannedChange[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const each of planned) counts[actionOf(each)] = (counts[actionOf(each)] ?? 0) + 1;
  return counts;
}

function linesOf(each: PlannedChange, context: CliContext): readonly string[] {
  const { green, red, yellow, dim } = context.style.stdout;
  const { node, changes, refusal } = each;
  const name = labelOfNode(node) ?? formatIdentity(node.identity);
  const action = actionOf(each);
  const { replacement } = node.kind === "apply" ? node : {};
  const why = node.message === undefined ? "" : `: ${node.message}`;
  switch (action) {
    case "create":
      return [
        `${green("+")} ${name}${replacement === undefined ? "" : ` ${dim(node.message ?? "")}`}`,
      ];
    case "update":
      return [
        replacement === undefined
          ? `${yellow("~")} ${name}`
          : `${yellow("±")} ${name} ${dim(`replaced because of ${replacement.because.join(", ")}${replacement.deletesFirst ? ", the old one goes first" : ""}`)}`,
        ...(node.message === undefined || replacement !== undefined
          ? []
          : [dim(`      ${node.message}`)]),
        ...(hasOpenHoles(node) && !changes.some(({ after }) => after === knownAfterApply)
          ? [dim("      some values are known after apply")]
          : []),
        ...changes.map((change) => `    ${changeLine(change, context)}`),
      ];
    case "refused":
      return [
        `${red("✗")} ${name} refused`,
        ...(refusal ?? "").split("\n").map((line) => `    ${red(line)}`),
      ];
    case "prune":
      return [`${red("-")} ${name}${dim(why)}`];
    case "unchanged":
      return [];
    default:
      return [`${dim("=")} ${name} ${action === "skip" ? "skipped" : action}${why}`];
  }
}

function changeLine({ path, before, after }: FieldChange, context: CliContext): string {
  const { green, red } = context.style.stdout;
  if (before === undefined) return green(`+ ${path}: ${shownValue(after)}`);
  if (after === undefined) return red(`- ${path}: ${shownValue(before)}`);
  return `  ${path}: ${red(shownValue(before))} → ${green(shownValue(after))}`;
}

/** A value, or that it is not known yet, which is no text of the object. */
export function shownValue(value: FieldChange["after"]): string {
  return value === knownAfterApply ? knownAfterApply : stringifyJson(value);
}
