import type { RunEvent } from "../../events/index.ts";
import type { CliContext, OutputStream } from "../context.ts";
import { jsonView } from "./json-view.ts";
import { kptView, type KptViewOptions } from "./kpt-view.ts";
import { type LinesOptions, linesView } from "./lines-view.ts";
import { progressView } from "./progress-view.ts";
import type { RunView } from "./run-view.ts";
import { tableView } from "./table-view.ts";

export interface OpenedView extends RunView {
  readonly emit: (event: RunEvent) => void;
  /** What everybody writes to while the view is open: it keeps the terminal in order. */
  readonly context: CliContext;
}

export interface ViewOptions extends LinesOptions, KptViewOptions {
  readonly output: "events" | "json" | "kpt-json" | "table";
}

/** The view that a command line asks for, and the one place where events get their time. */
export function openView(context: CliContext, options: ViewOptions): OpenedView {
  const view = chooseView(context, options);
  return {
    ...view,
    context: view.share === undefined ? context : withStreams(context, view.share),
    emit: (event) => {
      view.show({ timestamp: new Date().toISOString(), ...event });
    },
  };
}

function withStreams(
  context: CliContext,
  share: (stream: OutputStream) => OutputStream,
): CliContext {
  const { stdout, stderr } = context.process;
  return {
    ...context,
    process: { ...context.process, stdout: share(stdout), stderr: share(stderr) },
  };
}

function chooseView(context: CliContext, options: ViewOptions): RunView {
  if (options.output === "json") return jsonView(context.process.stdout);
  if (options.output === "kpt-json") return kptView(context.process.stdout, options);
  if (options.output === "table") return tableView(context, options);
  const isTerminal =
    context.process.stdout.isTTY === true && context.process.env["TERM"] !== "dumb";
  return isTerminal && options.showsPlan !== true
    ? progressView(context, options)
    : linesView(context, options);
}
