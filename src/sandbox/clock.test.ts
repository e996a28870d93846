import { expect, it } from "vitest";
import { ManualClock, timestamp } from "./clock.ts";

it("a manual clock calls what is due, in order, each at its own time", () => {
  const clock = new ManualClock(0);
  const calls: string[] = [];
  const note = (name: string) => (): void => void calls.push(`${name}@${clock.now()}`);
  clock.after(20, note("b"));
  clock.after(10, () => {
    note("a")();
    clock.after(5, note("nested"));
  });
  clock.after(20, note("c"));
  const cancel = clock.after(15, note("cancelled"));
  cancel();
  clock.advance(9);
  expect(calls).toEqual([]);
  clock.advance(100);
  expect(calls).toEqual(["a@10", "nested@15", "b@20", "c@20"]);
  expect(clock.now()).toBe(109);
});

it("times are whole seconds in UTC", () => {
  expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe("2026-01-02T03:04:05Z");
});
