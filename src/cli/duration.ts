const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads `90s`, `15m`, `1h30m` as milliseconds; throws what is wrong. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    if (/^\d+$/.test(text)) return Number(text) * 1_000;
    throw new SyntaxError(`${JSON.stringify(text)} is no duration; write 90s, 15m or 1h30m`);
  }
  return parts.reduce((sum, [, value, unit]) => sum + Number(value) * (units[unit ?? ""] ?? 0), 0);
}

/** A duration as a person reads it: `0.4 s`, `12 s`, `3 m 20 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
}
