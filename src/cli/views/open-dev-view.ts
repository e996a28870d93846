import type { DevLoop } from "../../devloop/index.ts";
import type { CliContext } from "../context.ts";
import type { OutputFormat } from "../output-flag.ts";
import { devLinesView } from "./dev-lines-view.ts";
import { devTerminalView } from "./dev-terminal-view.ts";
import { jsonView } from "./json-view.ts";
import type { RunView } from "./run-view.ts";

/** The view of a dev loop that a command line asks for. */
export function openDevView(
  context: CliContext,
  loop: DevLoop,
  { output, plain }: { readonly output: OutputFormat; readonly plain: boolean },
  onQuit: () => void,
): RunView {
  if (output === "json") return jsonView(context.process.stdout);
  const isTerminal =
    context.process.stdout.isTTY === true &&
    context.stdin.isTTY === true &&
    context.process.env["TERM"] !== "dumb" &&
    (context.process.env["CI"] ?? "") === "";
  return isTerminal && !plain ? devTerminalView(context, loop, onQuit) : devLinesView(context);
}
