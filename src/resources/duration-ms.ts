const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** The milliseconds of `500ms`, `30s`, `1h30m`; undefined when it is no duration. */
export function durationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * (unitsMs[unit] ?? 0),
    0,
  );
}
