import { durationMs } from "../../../objects/index.ts";
import { EvaluationError, text, type Convert } from "../../starlark/index.ts";

/** A duration as Go writes it, such as `1h30m`, in milliseconds; an empty one is not given. */
export const durationArgument: Convert<number | undefined> = (value) => {
  const given = text(value);
  if (given === "") return undefined;
  const found = given === "0" ? 0 : durationMs(given);
  if (found !== undefined) return found;
  throw new EvaluationError(`${JSON.stringify(given)} is no duration such as "30s" or "1h30m"`);
};
