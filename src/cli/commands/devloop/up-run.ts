import { controlFolder, serveControl } from "../../../devloop/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { openDevView } from "../../views/open-dev-view.ts";
import { devArguments } from "./dev-arguments.ts";
import { openDevLoop } from "./open-dev-loop.ts";
import type { UpFlags } from "./up.ts";

export const runUp: CommandHandler<UpFlags, string[]> = async (context, flags, ...words) => {
  const opened = await openDevLoop(context, flags, await devArguments(context, words), "up");
  const { loop, name } = opened;
  const interrupt = stopOnInterrupt();
  const quit = Promise.withResolvers<void>();
  interrupt.signal.addEventListener("abort", () => {
    quit.resolve();
  });
  // Nothing else may be left that keeps the process: a source may wish for nothing.
  const keepAlive = setInterval(() => {}, 3_600_000);
  const view = openDevView(context, loop, flags, quit.resolve);
  const stopShowing = loop.state.subscribe(view.show);
  try {
    const control = await serveControl(loop, { folder: controlFolder(context.process.env), name });
    try {
      await loop.start();
      await quit.promise;
    } finally {
      await control.close();
    }
    return exitCode.success;
  } finally {
    clearInterval(keepAlive);
    stopShowing();
    view.close();
    await opened.close();
    interrupt.release();
  }
};
