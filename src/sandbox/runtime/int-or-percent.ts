/** A number of pods, or a percentage of a total, rounded as the field at hand is. */
export function intOrPercent(
  value: number | string | undefined,
  total: number,
  rounding: "up" | "down",
): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const percent = Number(value.replace(/%$/, ""));
  if (!Number.isFinite(percent)) return 0;
  const exact = (percent * total) / 100;
  return rounding === "up" ? Math.ceil(exact) : Math.floor(exact);
}
