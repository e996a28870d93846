import { describe, expect, it } from "vitest";
import { fieldDiff } from "./field-diff.ts";

describe("fieldDiff", () => {
  const cases: readonly (readonly [before: unknown, after: unknown, changes: string])[] = [
    [{ a: 1 }, { a: 1 }, ""],
    [{ a: 1 }, { a: 2 }, ".a: 1 → 2"],
    [{ a: 1 }, {}, ".a: 1 → -"],
    [{}, { a: { b: 1 } }, '.a: - → {"b":1}'],
    [{ "a/b": 1 }, { "a/b": 2 }, '["a/b"]: 1 → 2'],
    [{ l: [1, 2] }, { l: [1, 3, 4] }, ".l[1]: 2 → 3, .l[2]: - → 4"],
    [
      { c: [{ name: "a", image: "1" }, { name: "b" }] },
      { c: [{ name: "b" }, { name: "a", image: "2" }] },
      '.c[name=a].image: "1" → "2"',
    ],
  ];
  it.each(cases)("%j and %j", (before, after, expected) => {
    const text = (value: unknown): string => (value === undefined ? "-" : JSON.stringify(value));
    const changes = fieldDiff(before as never, after as never);
    expect(
      changes
        .map((change) => `${change.path}: ${text(change.before)} → ${text(change.after)}`)
        .join(", "),
    ).toBe(expected);
  });
});
