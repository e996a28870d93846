import { describe, expect, it } from "vitest";
import type { Edge } from "../graph/index.ts";
import { componentOrder, type OrderedComponent } from "./component-order.ts";

describe("the order of components", () => {
  const check = (
    components: readonly OrderedComponent[],
    known: readonly Edge[],
    expected: readonly string[],
  ): void => {
    const { edges } = componentOrder(components, known);
    expect(edges.map(({ from, to, soft }) => `${from} → ${to}${soft === true ? "?" : ""}`)).toEqual(
      expected,
    );
  };

  it("goes through one node for each component that is waited for", () => {
    check(
      [
        { name: "db", members: ["d1", "d2"], dependsOn: [] },
        { name: "api", members: ["a1", "a2"], dependsOn: ["db", "nobody"] },
      ],
      [],
      ["component db → d1", "component db → d2", "a1 → component db", "a2 → component db"],
    );
  });

  it("puts what belongs to nobody first, as far as it needs nothing of the others", () => {
    check(
      [
        { name: "uncategorized", members: ["u1", "u2"], dependsOn: [], comesFirst: true },
        { name: "api", members: ["a"], dependsOn: [] },
      ],
      [{ from: "u2", to: "a", reason: "webhooks come last" }],
      ["component uncategorized → u1?", "a → component uncategorized?"],
    );
  });
});
