import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ManualClock } from "../clock.ts";
import { TimerQueue } from "./timer-queue.ts";

it("calls what is due, in order of time and then of setting; the last setting of a name counts", () => {
  const operation = fc.record({
    id: fc.integer({ min: 0, max: 40 }),
    delayMs: fc.integer({ min: 0, max: 50 }),
    isCancelled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
      const clock = new ManualClock(0);
      const called: string[] = [];
      const queue = new TimerQueue<string>(clock, (value) =>
        called.push(`${clock.now()} ${value}`),
      );
      const expected = new Map<number, { at: number; order: number }>();
      for (const [order, { id, delayMs, isCancelled }] of operations.entries()) {
        if (isCancelled) {
          queue.cancel(String(id));
          expected.delete(id);
        } else {
          queue.set(String(id), delayMs, String(id));
          expected.set(id, { at: delayMs, order });
        }
      }
      clock.advance(100);
      const wanted = [...expected].sort(
        ([, left], [, right]) => left.at - right.at || left.order - right.order,
      );
      expect(called).toEqual(wanted.map(([id, { at }]) => `${at} ${id}`));
    }),
  );
});
