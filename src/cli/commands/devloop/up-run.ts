import { controlFolder, serveControl } from "../../../devloop/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { openDevView } from "../../views/open-dev-view.ts";
import { devArguments } from "./dev-arguments.ts";
import { type OpenedDevLoop, openDevLoop } from "./open-dev-loop.ts";
import type { UpFlags } from "./up.ts";
import { openUpDashboard } from "./up-dashboard.ts";

export const runUp: CommandHandler<UpFlags, string[]> = async (context, flags, ...words) => {
  const given = await devArguments(context, words);
  const opened = await openDevLoop(context, flags, given, "up");
  const { loop, name } = opened;
  const interrupt = stopOnInterrupt(context.process.stderr);
  // Nothing else may be left that keeps the process: a source may wish for nothing.
  const keepAlive = setInterval(() => {}, 3_600_000);
  try {
    const control = await serveControl(loop, { folder: controlFolder(context.process.env), name });
    try {
      const dashboard = await openUpDashboard(context, flags, given, opened);
      try {
        await showUntilQuit(context, flags, opened, dashboard?.link, interrupt.signal);
      } finally {
        await dashboard?.close();
      }
    } finally {
      await control.close();
    }
    return exitCode.success;
  } finally {
    clearInterval(keepAlive);
    await opened.close();
    interrupt.release();
  }
};

async function showUntilQuit(
  context: CliContext,
  flags: UpFlags,
  { loop }: OpenedDevLoop,
  link: string | undefined,
  interrupted: AbortSignal,
): Promise<void> {
  const quit = Promise.withResolvers<void>();
  interrupted.addEventListener("abort", () => {
    quit.resolve();
  });
  if (interrupted.aborted) quit.resolve();
  const view = openDevView(context, loop, { ...flags, link }, quit.resolve);
  const stopShowing = loop.state.subscribe(view.show);
  try {
    // Who quits while the source is read does not wait for that.
    await Promise.race([loop.start().then(() => quit.promise), quit.promise]);
  } finally {
    stopShowing();
    view.close();
  }
}
