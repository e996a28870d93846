/** What every program finds without defining it. */
import { asByteText } from "../byte-text.ts";
import type { StarlarkBuiltin } from "../values/callable.ts";
import type { Value } from "../values/value.ts";
import { collectionFunctions } from "./collection-functions.ts";
import { conversionFunctions } from "./conversion-functions.ts";
import { inspectionFunctions } from "./inspection-functions.ts";
import { builtinTable } from "./method-table.ts";

const functions: ReadonlyMap<string, StarlarkBuiltin> = builtinTable({
  ...collectionFunctions,
  ...conversionFunctions,
  ...inspectionFunctions,
});

export const universe: ReadonlyMap<string, Value> = new Map<string, Value>([
  [asByteText("None"), null],
  [asByteText("True"), true],
  [asByteText("False"), false],
  ...functions,
]);
