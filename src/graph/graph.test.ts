import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cyclesOf, type Edge, findCycle, Graph, withoutSoftCycles } from "./index.ts";

/** `a>b` means that a waits for b, `a~b` that it would like to. */
function graph(text: string): Graph {
  const nodes = new Set<string>();
  const edges: Edge[] = [];
  for (const word of text.split(" ")) {
    const [from = "", to] = word.split(/[>~]/);
    nodes.add(from);
    if (to === undefined) continue;
    nodes.add(to);
    edges.push({ from, to, reason: word, ...(word.includes("~") ? { soft: true } : {}) });
  }
  return new Graph([...nodes], edges);
}

describe("order", () => {
  const cases: readonly (readonly [graph: string, order: string])[] = [
    ["a b c", "a b c"],
    ["a>b b>c", "c b a"],
    ["web>db web>config db>config", "config db web"],
    ["a>b a~b", "b a"],
  ];
  it.each(cases)("%s → %s", (text, order) => {
    expect(graph(text).order().join(" ")).toBe(order);
  });

  it("reversed is the order of taking down", () => {
    expect(graph("a>b b>c").reversed().order().join(" ")).toBe("a b c");
  });
});

describe("cycles", () => {
  const cases: readonly (readonly [graph: string, cycle: string | undefined])[] = [
    ["a>b b>c", undefined],
    ["a>a", "a>a"],
    ["x>a a>b b>c c>a", "a>b b>c c>a"],
  ];
  it.each(cases)("%s: %s", (text, cycle) => {
    expect(
      findCycle(graph(text))
        ?.map(({ reason }) => reason)
        .join(" "),
    ).toBe(cycle);
  });

  it("soft edges are given up before they make one", () => {
    expect(withoutSoftCycles(graph("a>b b~a c~a")).edges.map(({ reason }) => reason)).toEqual([
      "a>b",
      "c~a",
    ]);
    expect(findCycle(withoutSoftCycles(graph("a>b b>a b~a")))).toHaveLength(2);
  });

  it("are all found, and opened", () => {
    const { cycles, opened } = cyclesOf(graph("a>b b>a c>d d>c b>c e>e f>a"));
    expect(cycles.map(({ edges }) => edges.map(({ reason }) => reason).join(" "))).toEqual([
      "c>d d>c",
      "a>b b>a",
      "e>e",
    ]);
    expect(opened.edges.map(({ reason }) => reason)).toEqual(["b>c", "f>a"]);
  });

  it("what most others need gives up its wishes first", () => {
    const text = "hook~web hook~a hook~b web~a a>hook b>hook";
    expect(withoutSoftCycles(graph(text)).edges.map(({ reason }) => reason)).toEqual([
      "web~a",
      "a>hook",
      "b>hook",
    ]);
  });

  it("of any graph only soft edges that could stand in one are given up", () => {
    const node = fc.integer({ min: 0, max: 8 }).map(String);
    const edge = fc.record({ from: node, to: node, soft: fc.boolean(), reason: fc.constant("") });
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 30 }), (edges) => {
        const nodes = Array.from({ length: 9 }, (_, index) => String(index));
        const made = new Graph(nodes, edges);
        const kept = withoutSoftCycles(made);
        for (const each of made.edges) if (!each.soft) expect(kept.edges).toContain(each);
        for (const { edges: cycle } of cyclesOf(kept).cycles)
          expect(cycle.some(({ soft }) => soft === true)).toBe(false);
        const inCycle = new Map(
          cyclesOf(made).cycles.flatMap(({ members }, index) =>
            members.map((each) => [each, index]),
          ),
        );
        for (const each of made.edges)
          if (!kept.edges.includes(each))
            expect(inCycle.get(each.from)).toBe(inCycle.get(each.to) ?? -1);
      }),
    );
  });

  it("of any graph either an order is found or a true cycle", () => {
    const edge = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (pairs) => {
        const nodes = Array.from({ length: 9 }, (_, index) => String(index));
        const made = new Graph(
          nodes,
          pairs.map(([from, to]) => ({ from: String(from), to: String(to), reason: "" })),
        );
        const cycle = findCycle(made);
        if (cycle === undefined) {
          const order = made.order();
          for (const { from, to } of made.edges)
            expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
        } else {
          for (const [index, { to }] of cycle.entries())
            expect(cycle[(index + 1) % cycle.length]?.from).toBe(to);
        }
      }),
    );
  });
});
