import { type Cause, causeDetails } from "../../causes/index.ts";
import { formatLocation } from "../../diagnostics/index.ts";
import type { DiagnosticEvent, PlanEvent, RunEvent } from "../../events/index.ts";
import { formatIdentity, type ObjectIdentity } from "../../objects/index.ts";
import type { CliContext } from "../context.ts";
import { formatDuration } from "../duration.ts";
import { planCounts } from "./plan-counts.ts";
import type { RunView } from "./run-view.ts";
import { summaryLines } from "./summary-lines.ts";

export interface LinesOptions {
  /** Also what was left as it is, and every change of status. */
  readonly verbose: boolean;
  /** Also what is going to be done: for runs that end there. */
  readonly showsPlan?: boolean | undefined;
}

/** Plain lines: one for each thing that happened, and what is waited for. */
export function linesView(context: CliContext, options: LinesOptions): RunView {
  const { stdout } = context.process;
  const started = Date.now();
  return {
    show: (event) => {
      if (event.type === "summary" && options.showsPlan === true) {
        stdout.write(`${context.style.stdout.bold(planCounts(event.counts.plan))}\n`);
        return;
      }
      for (const line of linesOfEvent(event, context, options)) stdout.write(`${line}\n`);
      if (event.type === "summary")
        stdout.write(
          `${context.style.stdout.dim(`took ${formatDuration(Date.now() - started)}`)}\n`,
        );
    },
    close: () => {},
  };
}

/**
 * The lines that an event is worth; none for what a person need not know. What others wrote on several lines is
 * indented: it must not look like another event.
 */
export function linesOfEvent(
  event: RunEvent,
  context: CliContext,
  options: LinesOptions,
): readonly string[] {
  return eventLines(event, context, options).map(indentRest);
}

function eventLines(
  event: RunEvent,
  context: CliContext,
  { verbose, showsPlan = false }: LinesOptions,
): readonly string[] {
  const { dim, green, red, yellow, bold, log } = context.style.stdout;
  const because = (message: string | undefined): string =>
    message === undefined ? "" : `: ${message}`;
  const details = (cause: Cause | undefined): readonly string[] =>
    cause === undefined ? [] : causeDetails(cause).map((line) => `  ${dim(line)}`);
  const statusMark = (status: string): string =>
    status === "Current" ? green("✓") : status === "Failed" ? red("✗") : dim("…");
  switch (event.type) {
    case "apply": {
      const name = nameOf(event);
      if (event.status === "failed")
        return [`${red("✗")} ${name} ${bold("failed")}${because(event.message)}`];
      if (event.status === "skipped")
        return [`${yellow("-")} ${name} skipped${because(event.message)}`];
      if (event.change === undefined || (event.change === "unchanged" && !verbose)) return [];
      return [`${event.change === "unchanged" ? dim("=") : green("✓")} ${name} ${event.change}`];
    }
    case "prune":
    case "delete": {
      const name = nameOf(event);
      const done = event.type === "prune" ? "pruned" : "deleted";
      if (event.status === "pending")
        return verbose ? [`${dim("…")} ${name} is being deleted`] : [];
      if (event.status === "successful")
        return [
          `${green("✓")} ${name} ${done}${event.message === undefined ? "" : dim(` (${event.message})`)}`,
        ];
      if (event.status === "skipped")
        return [`${yellow("-")} ${name} kept${because(event.message)}`];
      return [`${red("✗")} ${name} was not ${done}${because(event.message)}`];
    }
    case "wait": {
      const name = nameOf(event);
      if (event.status === "pending")
        return [`${dim("…")} waiting for ${name}${because(event.message)}`];
      if (event.status === "successful")
        return verbose ? [`${green("✓")} ${name} is ready${because(event.message)}`] : [];
      if (event.reason === "Interrupted") return [`${red("✗")} ${name} ${event.message ?? ""}`];
      const ended =
        event.status === "timeout"
          ? " timed out"
          : event.cause === undefined
            ? " is not going to be ready"
            : "";
      return [`${red("✗")} ${name}${ended}${because(event.message)}`, ...details(event.cause)];
    }
    case "status":
      return verbose
        ? [
            `${statusMark(event.status)} ${nameOf(event)}: ${event.status}${because(event.message)}`,
            ...details(event.cause),
          ]
        : [];
    case "summary":
      return summaryLines(event.counts, context);
    case "group":
      return event.message !== undefined &&
        (event.action === "inventory" || event.action === "plan")
        ? [dim(event.message)]
        : [];
    case "load":
    case "component":
      return [];
    case "log":
      return [dim(`  ${event.resource} │ ${log(event.message)}`)];
    case "build":
      if (event.status === "log") return [dim(`  ${event.image} │ ${log(event.message ?? "")}`)];
      if (event.status === "started") return [`${dim("…")} building ${event.image}`];
      return event.status === "cached" && !verbose
        ? []
        : [
            `${green("✓")} ${event.image} ${event.status === "cached" ? "is built already" : "built"}${dim(because(event.message))}`,
          ];
    case "validation":
    case "error":
    case "warning":
      return diagnosticLines(event, context);
    case "plan":
      return showsPlan ? planLines(event, context) : [];
  }
}

function diagnosticLines(
  { severity, summary, detail, hint, source }: DiagnosticEvent,
  context: CliContext,
): readonly string[] {
  const { red, yellow, dim } = context.style.stdout;
  const place = source === undefined ? "" : dim(` (${formatLocation(source)})`);
  return [
    `${severity === "error" ? red("✗") : yellow("!")} ${summary}${place}`,
    ...(detail === undefined ? [] : detail.split("\n").map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [`  ${dim(`hint: ${hint}`)}`]),
  ];
}

function planLines(event: PlanEvent, context: CliContext): readonly string[] {
  const { status, message } = event;
  const { green, red, yellow, dim } = context.style.stdout;
  const signs = { create: green("+"), update: yellow("~"), recreate: yellow("~") };
  const removals = { prune: red("-"), delete: red("-") };
  const sign = { ...signs, ...removals, unchanged: dim("="), keep: dim("="), skip: yellow("!") };
  const why = message === undefined ? "" : `: ${message}`;
  return [`${sign[status]} ${nameOf(event)} ${dim(`${status}${why}`)}`];
}

/** A line of ours with what others wrote on several lines in it. */
export function indentRest(line: string): string {
  return line.includes("\n") ? line.replaceAll("\n", "\n    ") : line;
}

/** How a person knows an object. */
function nameOf({
  object,
  label,
}: {
  readonly object: ObjectIdentity;
  readonly label?: string | undefined;
}): string {
  return label ?? formatIdentity(object);
}
