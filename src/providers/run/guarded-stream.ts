import type { LogLine, ResourceLogOptions, ProviderContext } from "../provider.ts";
import { type ProviderTimeouts, timeoutOf } from "../timeouts.ts";
import type { Backend } from "./backend.ts";
import { boundedLog } from "./bounded-log.ts";
import type { CallPlace } from "./call-place.ts";
import { callFailure, timeoutFailure } from "./failures.ts";
import { readLogLine } from "./read-answer.ts";

/** The lines of a log as they come. It ends when nobody waits any more; only silence of what is not followed is a hang. */
export async function* guardedLog(
  backend: Backend,
  place: CallPlace,
  id: string,
  options: ResourceLogOptions,
  context: ProviderContext,
  timeouts: ProviderTimeouts,
): AsyncGenerator<LogLine> {
  if (context.signal.aborted) return;
  const timeoutMs = context.timeoutMs ?? timeoutOf(timeouts, "fetchLog");
  const controller = new AbortController();
  const signal = AbortSignal.any([context.signal, controller.signal]);
  const own = { ...context, signal, log: boundedLog(context.log) };
  const aborted = Promise.withResolvers<"aborted">();
  const onAbort = (): void => {
    aborted.resolve("aborted");
  };
  signal.addEventListener("abort", onAbort);
  let items: AsyncIterator<unknown> | undefined;
  try {
    items = backend.stream("fetchLog", [id, options], own)[Symbol.asyncIterator]();
    for (;;) {
      const next = items.next();
      // Whoever stops waiting must not leave a rejection behind that nobody looks at.
      next.catch(() => {});
      const item = await withinTime(
        Promise.race([next, aborted.promise]),
        options.follow ? undefined : timeoutMs,
        place,
      );
      if (item === "aborted" || item.done === true) return;
      yield readLogLine(item.value, place);
    }
  } catch (error) {
    if (context.signal.aborted) return;
    throw callFailure(error, place);
  } finally {
    controller.abort();
    signal.removeEventListener("abort", onAbort);
    // A generator that hangs would never return; it was told by the signal.
    items?.return?.().catch(() => {});
  }
}

async function withinTime<T>(
  promise: Promise<T>,
  timeoutMs: number | undefined,
  place: CallPlace,
): Promise<T> {
  if (timeoutMs === undefined) return promise;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(timeoutFailure(place, timeoutMs));
  }, timeoutMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
