import type { RunEvent } from "../../events/index.ts";
import { formatIdentity } from "../../objects/index.ts";
import type { CliContext } from "../context.ts";
import { formatDuration } from "../duration.ts";
import type { RunView } from "./run-view.ts";
import { summaryLines } from "./summary-lines.ts";

export interface LinesViewOptions {
  /** Also what was left as it is, and every change of status. */
  readonly verbose: boolean;
}

/** Plain lines: one for each thing that happened, and what is waited for. */
export function linesView(context: CliContext, { verbose }: LinesViewOptions): RunView {
  const { stdout } = context.process;
  const started = Date.now();
  return {
    show: (event) => {
      for (const line of linesOf(event, context, verbose)) stdout.write(`${line}\n`);
      if (event.type === "summary")
        stdout.write(
          `${context.style.stdout.dim(`took ${formatDuration(Date.now() - started)}`)}\n`,
        );
    },
    close: () => {},
  };
}

/** The lines that an event is worth; none for what a person need not know. */
export function linesOf(event: RunEvent, context: CliContext, verbose: boolean): readonly string[] {
  const { dim, green, red, yellow, bold } = context.style.stdout;
  const because = (message: string | undefined): string =>
    message === undefined ? "" : `: ${message}`;
  switch (event.type) {
    case "apply": {
      const name = formatIdentity(event.object);
      if (event.status === "failed")
        return [`${red("✗")} ${name} ${bold("failed")}${because(event.message)}`];
      if (event.status === "skipped")
        return [`${yellow("-")} ${name} skipped${because(event.message)}`];
      if (event.change === undefined || (event.change === "unchanged" && !verbose)) return [];
      return [`${event.change === "unchanged" ? dim("=") : green("✓")} ${name} ${event.change}`];
    }
    case "prune":
    case "delete": {
      const name = formatIdentity(event.object);
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
      const name = formatIdentity(event.object);
      if (event.status === "pending")
        return [`${dim("…")} waiting for ${name}${because(event.message)}`];
      if (event.status === "successful")
        return verbose ? [`${green("✓")} ${name} is ready${because(event.message)}`] : [];
      return [
        `${red("✗")} ${name} ${event.status === "timeout" ? "timed out" : "is not going to be ready"}${because(event.message)}`,
      ];
    }
    case "status":
      return verbose
        ? [`${dim("…")} ${formatIdentity(event.object)}: ${event.status}${because(event.message)}`]
        : [];
    case "summary":
      return summaryLines(event.counts, context);
    case "group":
      return event.message !== undefined && event.action === "inventory"
        ? [dim(event.message)]
        : [];
    case "plan":
    case "validation":
    case "error":
    case "warning":
      return [];
  }
}
