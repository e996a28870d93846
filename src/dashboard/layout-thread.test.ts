import { expect, it } from "vitest";
import { LayoutThread } from "./layout-thread.ts";

it("lays out graphs one after the other, and goes on after one that is none", async () => {
  const thread = new LayoutThread();
  try {
    const [first, broken, second] = await Promise.allSettled([
      thread.plain("digraph { a -> b }"),
      thread.plain("this is no graph"),
      thread.plain("digraph { c }"),
    ]);
    expect(first).toMatchObject({ status: "fulfilled", value: expect.stringMatching(/^graph 1 /) });
    expect(broken.status).toBe("rejected");
    expect(second).toMatchObject({ value: expect.stringContaining("node c ") });
  } finally {
    await thread.close();
  }
});

it("leaves the thread that asks free while it works", async () => {
  const thread = new LayoutThread();
  try {
    const edges = Array.from({ length: 600 }, (_, index) => `n${index} -> n${(index * 7) % 600}`);
    const laidOut = thread.plain(`digraph { ${edges.join("; ")} }`);
    const turn = (): Promise<undefined> =>
      new Promise((resolve) => {
        setImmediate(() => {
          resolve(undefined);
        });
      });
    let turns = 0;
    // Each turn of the loop is one in which a request could have been answered.
    while ((await Promise.race([laidOut, turn()])) === undefined) turns++;
    expect(turns).toBeGreaterThan(100);
    expect(await laidOut).toContain("node n599 ");
  } finally {
    await thread.close();
  }
});
