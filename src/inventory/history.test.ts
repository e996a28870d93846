import { expect, it } from "vitest";
import { addToHistory, type HistoryEntry, type HistoryObject, readHistory } from "./history.ts";

function entry(number: number, objects: readonly HistoryObject[] = []): HistoryEntry {
  return { at: `${number}`, by: "me", command: "apply", counts: { changed: 1 }, objects };
}

function many(count: number, fields = 0): readonly HistoryObject[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `apps/Deployment/shop/web-${index}`,
    action: "changed" as const,
    ...(fields === 0 ? {} : { fields: Array.from({ length: fields }, (__, n) => `.spec.f${n}`) }),
  }));
}

const bytes = (text: string): number => Buffer.byteLength(text);

it("keeps the newest twenty, the newest first", () => {
  let text: string | undefined;
  for (let number = 0; number < 25; number++) text = addToHistory(text, entry(number));
  const times = readHistory(text).map(({ at }) => at);
  expect(times).toHaveLength(20);
  expect(times.slice(0, 2)).toEqual(["24", "23"]);
});

it("keeps few fields and short texts, and says how many there were", () => {
  const [kept] = readHistory(addToHistory(undefined, entry(1, many(1, 30))));
  expect(kept?.objects[0]).toMatchObject({ cut: 18 });
  expect(kept?.objects[0]?.fields).toHaveLength(12);
  const long = addToHistory(undefined, { ...entry(1), by: "x".repeat(5_000) });
  expect(readHistory(long)[0]?.by).toHaveLength(200);
});

it("stays within 32 KiB: lists of old runs are cut first, and nothing is lost from the counts", () => {
  let text: string | undefined;
  for (let number = 0; number < 20; number++) {
    text = addToHistory(text, entry(number, many(1_000, 5)));
    expect(bytes(text)).toBeLessThanOrEqual(32 * 1024);
    for (const { objects, cut = 0 } of readHistory(text)) expect(objects.length + cut).toBe(1_000);
  }
  const all = readHistory(text);
  expect(all).toHaveLength(20);
  expect(all[0]?.objects.length).toBeGreaterThan(0);
  expect(all[0]?.objects.length).toBeGreaterThanOrEqual(all[19]?.objects.length ?? 0);
});

it("reads nothing from what somebody else has written", () => {
  for (const text of [undefined, "", "{", "7", "{}", "[1]", '[{"at":"1"}]', "[null]"])
    expect(readHistory(text)).toEqual([]);
  const objects = '[{"at":"1","by":"","command":"","counts":{},"objects":[{"key":1}]}]';
  expect(readHistory(objects)).toEqual([]);
  expect(readHistory(addToHistory("nonsense", entry(1)))).toEqual([entry(1)]);
});
