import { EvaluationError, text, type Convert } from "../../starlark/index.ts";

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration as Go writes it, such as `1h30m`, in milliseconds; an empty one is not given. */
export const durationMs: Convert<number | undefined> = (value) => {
  const given = text(value);
  if (given === "") return undefined;
  if (given === "0") return 0;
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.map(([whole]) => whole).join("") !== given) {
    throw new EvaluationError(`${JSON.stringify(given)} is no duration such as "30s" or "1h30m"`);
  }
  return parts.reduce(
    (sum, [, number = "", unit = ""]) => sum + Number(number) * (units[unit] ?? 0),
    0,
  );
};
