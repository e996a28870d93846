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
  const view = openDevView(context, loop, flags, quit.resolve);
  const stopShowing = loop.state.subscribe(view.show);
  try {
    const control = await serveControl(loop, { folder: controlFolder(context.process.env), name });
    try {
      await loop.start();
      await Promise.race([aborted(interrupt.signal), quit.promise]);
    } finally {
      await control.close();
    }
    return exitCode.success;
  } finally {
    stopShowing();
    view.close();
    await opened.close();
    interrupt.release();
  }
};

/** Settles when the user ends the command; until then the process stays. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const keepAlive = setInterval(() => {}, 3_600_000);
    signal.addEventListener("abort", () => {
      clearInterval(keepAlive);
      resolve();
    });
  });
}
