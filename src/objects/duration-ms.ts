const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** The milliseconds of a duration as Go writes it, `500ms`, `30s`, `1h30m`; undefined when it is none. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (text === "" || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * (unitsMs[unit] ?? 0),
    0,
  );
}
