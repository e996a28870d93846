import { expect, it } from "vitest";
import { LineQueue } from "./line-queue.ts";

it("holds what is not read yet, and says how much it could not hold", async () => {
  const queue = new LineQueue();
  for (let index = 0; index < 10_005; index++) queue.push({ text: String(index) });
  queue.end();
  const read: unknown[] = [];
  for await (const line of queue) read.push(line);
  expect(read).toHaveLength(10_001);
  expect(read.slice(-2)).toEqual([
    { text: "9999" },
    { text: "… 5 lines came too fast and are left out" },
  ]);
});

it("gives everything before it fails", async () => {
  const queue = new LineQueue();
  queue.push({ text: "one" });
  queue.end(new Error("gone"));
  const lines = queue[Symbol.asyncIterator]();
  expect(await lines.next()).toEqual({ done: false, value: { text: "one" } });
  await expect(lines.next()).rejects.toThrow("gone");
});
