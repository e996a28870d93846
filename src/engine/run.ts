import type { RunEvent } from "../events/index.ts";

/**
 * A run under way. Its events can be iterated over, once, while it goes on; `result` is how it ended.
 * Whoever only wants the result need not iterate.
 */
export interface Run<Result> extends AsyncIterable<RunEvent> {
  readonly result: Promise<Result>;
}

/** Begins a run. With a listener events go there the moment they happen, and are not kept. */
export function startRun<Result>(
  body: (emit: (event: RunEvent) => void) => Promise<Result>,
  onEvent?: (event: RunEvent) => void,
): Run<Result> {
  const kept: RunEvent[] = [];
  let wake = Promise.withResolvers<void>();
  let isOver = false;
  const emit = (event: RunEvent): void => {
    if (onEvent !== undefined) {
      onEvent(event);
      return;
    }
    kept.push(event);
    wake.resolve();
  };
  const result = body(emit).finally(() => {
    isOver = true;
    wake.resolve();
  });
  // Whoever iterates is told there.
  result.catch(() => undefined);
  return {
    result,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        for (let event = kept.shift(); event !== undefined; event = kept.shift()) yield event;
        if (isOver) break;
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
      await result;
    },
  };
}
