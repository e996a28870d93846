import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

const timing = {
  now: () => Date.now(),
  random: () => 1,
  sleep: () => Promise.reject(new Error("the queue does not sleep")),
};

describe("a work queue", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const make = (
    work: WorkQueueOptions["work"],
    more: Partial<WorkQueueOptions> = {},
  ): WorkQueue => {
    const queue = new WorkQueue({ work, workers: 2, timing, ...more });
    queue.start();
    return queue;
  };
  const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  it("works on a key by one worker at a time, and once more when it was added meanwhile", async () => {
    const running: string[] = [];
    const ended: string[] = [];
    const gates: (() => void)[] = [];
    const queue = make(async (key) => {
      expect(running).not.toContain(key);
      running.push(key);
      await new Promise<void>((resolve) => gates.push(resolve));
      running.splice(running.indexOf(key), 1);
      ended.push(key);
      return { kind: "done" };
    });
    for (const key of ["a", "a", "b", "c"]) queue.add(key);
    await flush();
    expect(running).toEqual(["a", "b"]);
    for (let again = 0; again < 5; again++) queue.add("a");
    expect(queue.depth).toBe(3);
    while (gates.length > 0) {
      gates.shift()?.();
      await flush();
    }
    expect(ended).toEqual(["a", "b", "c", "a"]);
    expect(queue.depth).toBe(0);
  });

  it("gathers keys until it is started", async () => {
    const worked: string[] = [];
    const queue = new WorkQueue({
      workers: 1,
      timing,
      work: (key) => {
        worked.push(key);
        return Promise.resolve({ kind: "done" });
      },
    });
    queue.add("a");
    queue.add("a");
    await flush();
    expect(worked).toEqual([]);
    queue.start();
    await flush();
    expect(worked).toEqual(["a"]);
  });

  it("tries what fails again with growing pauses, capped and without end", async () => {
    const pauses: number[] = [];
    const queue = make(() => Promise.reject(new Error("no")), {
      longestPauseMs: 1000,
      onFailure: (_key, _error, delayMs) => pauses.push(delayMs),
    });
    queue.add("a");
    for (let attempt = 0; attempt < 8; attempt++) await vi.advanceTimersByTimeAsync(1000);
    expect(pauses.slice(0, 7)).toEqual([100, 200, 400, 800, 1000, 1000, 1000]);
    queue.forgive("a");
    await vi.advanceTimersByTimeAsync(1000);
    expect(pauses.at(-1)).toBeLessThan(1000);
    await queue.stop();
  });

  it("looks again when it was asked to; the earliest wish counts", async () => {
    const at: number[] = [];
    const began = Date.now();
    const queue = make(() => {
      at.push(Date.now() - began);
      return Promise.resolve(at.length === 1 ? { kind: "again", afterMs: 500 } : { kind: "done" });
    });
    queue.add("a");
    await flush();
    queue.addAfter("a", 900);
    queue.addAfter("a", 200);
    await vi.advanceTimersByTimeAsync(2000);
    expect(at).toEqual([0, 200]);
  });

  it("ends what is under way when it stops, and begins nothing more", async () => {
    const worked: string[] = [];
    let open: (() => void) | undefined;
    const queue = make(
      async (key) => {
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        worked.push(key);
        return { kind: "done" };
      },
      { workers: 1 },
    );
    queue.add("a");
    queue.add("b");
    await flush();
    const stopped = queue.stop();
    queue.add("c");
    open?.();
    await stopped;
    await vi.advanceTimersByTimeAsync(1000);
    expect(worked).toEqual(["a"]);
  });
});
