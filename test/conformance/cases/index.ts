import type { ConformanceCase } from "../case.ts";
import { configMapCases } from "./config-maps.ts";

/** Every case, by the group that its answers are recorded in. */
export const conformanceCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  "config-maps": configMapCases,
};
