import { expect, it } from "vitest";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

it("lets as many in as the limit, the others one by one", async () => {
  const limit = new ConcurrencyLimit({ least: 1, most: 2, start: 2 });
  const order: string[] = [];
  const leaveFirst = await limit.enter();
  const leaveSecond = await limit.enter();
  const third = limit.enter().then((leave) => {
    order.push("third");
    return leave;
  });
  await Promise.resolve();
  order.push("first leaves");
  leaveFirst("fine");
  (await third)("fine");
  leaveSecond("fine");
  expect(order).toEqual(["first leaves", "third"]);
});

it("grows slowly and shrinks fast, once for requests that were under way together", async () => {
  const limit = new ConcurrencyLimit({ least: 2, most: 20, start: 16 });
  const together = await Promise.all(Array.from({ length: 16 }, () => limit.enter()));
  for (const leave of together) leave("overloaded");
  expect(limit.limit).toBe(8);
  for (let turn = 0; turn < 9; turn++) (await limit.enter())("fine");
  expect(limit.limit).toBe(9);
  (await limit.enter())("slow");
  expect(limit.limit).toBe(7);
  for (let turn = 0; turn < 20; turn++) (await limit.enter())("overloaded");
  expect(limit.limit).toBe(2);
  for (let turn = 0; turn < 1000; turn++) (await limit.enter())("fine");
  expect(limit.limit).toBe(20);
});

it("forgets who no longer wants to wait", async () => {
  const limit = new ConcurrencyLimit({ least: 1, most: 1, start: 1 });
  const leave = await limit.enter();
  const stop = new AbortController();
  const waiting = limit.enter(stop.signal);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  leave("fine");
  (await limit.enter())("fine");
});
