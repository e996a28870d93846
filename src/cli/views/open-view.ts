import type { RunEvent } from "../../events/index.ts";
import type { CliContext } from "../context.ts";
import { jsonView } from "./json-view.ts";
import { type LinesOptions, linesView } from "./lines-view.ts";
import { progressView } from "./progress-view.ts";
import type { RunView } from "./run-view.ts";
import { tableView } from "./table-view.ts";

export interface OpenedView extends RunView {
  readonly emit: (event: RunEvent) => void;
  readonly tell: (text: string) => void;
}

export interface ViewOptions extends LinesOptions {
  readonly output: "events" | "json" | "table";
}

/** The view that a command line asks for, and the one place where events get their time. */
export function openView(context: CliContext, options: ViewOptions): OpenedView {
  const view = chooseView(context, options);
  return {
    ...view,
    tell: view.tell ?? ((text) => void context.process.stderr.write(text)),
    emit: (event) => {
      view.show({ timestamp: new Date().toISOString(), ...event });
    },
  };
}

function chooseView(context: CliContext, options: ViewOptions): RunView {
  if (options.output === "json") return jsonView(context.process.stdout);
  if (options.output === "table") return tableView(context, options);
  const isTerminal =
    context.process.stdout.isTTY === true && context.process.env["TERM"] !== "dumb";
  return isTerminal && options.showsPlan !== true
    ? progressView(context, options)
    : linesView(context, options);
}
