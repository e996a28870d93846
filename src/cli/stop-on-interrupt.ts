import type { OutputStream } from "./context.ts";

export interface Interrupt {
  /** Aborted by the first Ctrl-C: finish what is under way and remember it. */
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** The first Ctrl-C asks the run to end; the second ends the process at once. */
export function stopOnInterrupt({ write }: OutputStream): Interrupt {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    write("interrupted: finishing what is under way; once more stops at once\n");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
