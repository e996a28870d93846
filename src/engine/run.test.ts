import { expect, it } from "vitest";
import type { RunEvent } from "../events/index.ts";
import { startRun } from "./run.ts";

const line = (message: string): RunEvent => ({ type: "log", resource: "r", message });

it("gives its events in order, those before somebody looks included, then its result", async () => {
  const gate = Promise.withResolvers<void>();
  const run = startRun(async (emit) => {
    emit(line("one"));
    emit(line("two"));
    await gate.promise;
    emit(line("three"));
    return 3;
  });
  const seen: string[] = [];
  for await (const event of run) {
    seen.push(event.type === "log" ? event.message : event.type);
    if (seen.length === 2) gate.resolve();
  }
  expect(seen).toEqual(["one", "two", "three"]);
  expect(await run.result).toBe(3);
});

it("throws what ended it where it is iterated over, and in its result", async () => {
  const run = startRun((emit) => {
    emit(line("one"));
    return Promise.reject(new Error("no"));
  });
  const iterate = async (): Promise<void> => {
    for await (const event of run) expect(event.type).toBe("log");
  };
  await expect(iterate()).rejects.toThrow("no");
  await expect(run.result).rejects.toThrow("no");
});

it("gives events to a listener at once, and keeps none", async () => {
  const seen: RunEvent[] = [];
  const run = startRun(
    (emit) => {
      emit(line("one"));
      return Promise.resolve();
    },
    (event) => seen.push(event),
  );
  expect(seen).toHaveLength(1);
  for await (const event of run) expect(event).toBeUndefined();
});
