import { changesTheWorld } from "../operations.ts";
import type { ProviderContext } from "../provider.ts";
import { interruptMs, type ProviderTimeouts, timeoutOf } from "../timeouts.ts";
import type { Backend } from "./backend.ts";
import { boundedLog } from "./bounded-log.ts";
import type { CallPlace } from "./call-place.ts";
import { callFailure, cancelFailure, timeoutFailure } from "./failures.ts";

/**
 * Asks a provider once and gives up in time. What changes the world gets a moment after that to obey
 * the cancellation, and an answer that still comes counts: what was made is then known.
 */
export async function guardedCall(
  backend: Backend,
  place: CallPlace,
  args: readonly unknown[],
  context: ProviderContext,
  timeouts: ProviderTimeouts,
): Promise<unknown> {
  if (context.signal.aborted) throw cancelFailure(place);
  const { operation } = place;
  const timeoutMs = context.timeoutMs ?? timeoutOf(timeouts, operation);
  const mostGraceMs = changesTheWorld(operation) ? timeoutOf(timeouts, "cancel") : 0;
  const controller = new AbortController();
  const overdue = Promise.withResolvers<never>();
  let stopped: Error | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  const stop = (reason: Error, graceMs: number): void => {
    if (stopped !== undefined) return;
    stopped = reason;
    controller.abort(reason);
    graceTimer = setTimeout(() => {
      overdue.reject(reason);
    }, graceMs);
  };
  const timer = setTimeout(() => {
    stop(timeoutFailure(place, timeoutMs), mostGraceMs);
  }, timeoutMs);
  const onAbort = (): void => {
    stop(cancelFailure(place), Math.min(mostGraceMs, interruptMs));
  };
  context.signal.addEventListener("abort", onAbort);
  try {
    const own = { ...context, signal: controller.signal, log: boundedLog(context.log) };
    return await Promise.race([backend.call(operation, args, own), overdue.promise]);
  } catch (error) {
    throw stopped ?? callFailure(error, place);
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    context.signal.removeEventListener("abort", onAbort);
  }
}
