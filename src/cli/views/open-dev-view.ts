import type { DevLoop } from "../../devloop/index.ts";
import type { CliContext } from "../context.ts";
import type { OutputFormat } from "../output-flag.ts";
import { devLinesView } from "./dev-lines-view.ts";
import { jsonView } from "./json-view.ts";
import type { RunView } from "./run-view.ts";

/** The view of a dev loop that a command line asks for. */
export function openDevView(
  context: CliContext,
  _loop: DevLoop,
  { output }: { readonly output: OutputFormat; readonly plain: boolean },
  _onQuit: () => void,
): RunView {
  if (output === "json") return jsonView(context.process.stdout);
  return devLinesView(context);
}
