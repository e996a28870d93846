import type { RunEvent } from "../../events/index.ts";
import type { CliContext } from "../context.ts";
import { jsonView } from "./json-view.ts";
import { linesView } from "./lines-view.ts";
import type { RunView } from "./run-view.ts";

export interface OpenedView extends RunView {
  readonly emit: (event: RunEvent) => void;
}

/** The view that a command line asks for, and the one place where events get their time. */
export function openView(
  context: CliContext,
  options: { readonly json: boolean; readonly verbose: boolean },
): OpenedView {
  const view = options.json ? jsonView(context.process.stdout) : linesView(context, options);
  return {
    ...view,
    emit: (event) => {
      view.show({ timestamp: new Date().toISOString(), ...event });
    },
  };
}
