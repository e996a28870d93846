import type { RunEvent } from "../../events/index.ts";
import type { CliContext } from "../context.ts";
import { jsonView } from "./json-view.ts";
import { linesView } from "./lines-view.ts";
import { progressView } from "./progress-view.ts";
import type { RunView } from "./run-view.ts";

export interface OpenedView extends RunView {
  readonly emit: (event: RunEvent) => void;
}

/** The view that a command line asks for, and the one place where events get their time. */
export function openView(
  context: CliContext,
  options: { readonly json: boolean; readonly verbose: boolean },
): OpenedView {
  const view = chooseView(context, options);
  return {
    ...view,
    emit: (event) => {
      view.show({ timestamp: new Date().toISOString(), ...event });
    },
  };
}

function chooseView(
  context: CliContext,
  options: { readonly json: boolean; readonly verbose: boolean },
): RunView {
  if (options.json) return jsonView(context.process.stdout);
  const isTerminal =
    context.process.stdout.isTTY === true && context.process.env["TERM"] !== "dumb";
  return isTerminal ? progressView(context, options) : linesView(context, options);
}
