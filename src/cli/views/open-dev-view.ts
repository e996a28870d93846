import type { DevLoop } from "../../devloop/index.ts";
import type { CliContext } from "../context.ts";
import { isCi } from "../is-ci.ts";
import type { OutputFormat } from "../output-flag.ts";
import { devLinesView } from "./dev-lines-view.ts";
import { devTerminalView } from "./dev-terminal-view.ts";
import { jsonView } from "./json-view.ts";
import type { RunView } from "./run-view.ts";

/** The view of a dev loop that a command line asks for. */
export function openDevView(
  context: CliContext,
  loop: DevLoop,
  {
    output,
    plain,
    link,
  }: {
    readonly output: OutputFormat;
    readonly plain: boolean;
    /** Where the dashboard is. */
    readonly link: string | undefined;
  },
  onQuit: () => void,
): RunView {
  const { stdout } = context.process;
  if (output === "json") {
    if (link !== undefined) stdout.write(`${JSON.stringify({ type: "dashboard", link })}\n`);
    return jsonView(stdout);
  }
  const isTerminal =
    stdout.isTTY === true &&
    context.stdin.isTTY === true &&
    context.process.env["TERM"] !== "dumb" &&
    !isCi(context.process.env);
  if (isTerminal && !plain) return devTerminalView(context, loop, { link, onQuit });
  if (link !== undefined) stdout.write(`${context.style.stdout.bold("dashboard")} ${link}\n`);
  return devLinesView(context);
}
