/**
 * The functions of expressions: those of the language and those that Kubernetes adds. Each file is
 * one library as a table from signatures to implementations.
 */
import type { Overload } from "../overload.ts";
import { readLibrary } from "../overload.ts";
import { addressLibrary } from "./addresses.ts";
import { authorizationLibrary } from "./authorization.ts";
import { conversionLibrary } from "./conversions.ts";
import { formatLibrary } from "./formats.ts";
import { jsonPatchLibrary } from "./json-patch.ts";
import { listLibrary } from "./lists.ts";
import { operatorLibrary } from "./operators.ts";
import { optionalLibrary } from "./optionals.ts";
import { quantityLibrary } from "./quantities.ts";
import { semverLibrary } from "./semantic-versions.ts";
import { setLibrary } from "./sets.ts";
import { stringLibrary } from "./strings.ts";
import { timeLibrary } from "./times.ts";
import { urlLibrary } from "./urls.ts";

let byName: ReadonlyMap<string, readonly Overload[]> | undefined;

/** The overloads of a name that take so many arguments, a method's receiver included. */
export function findOverloads(
  name: string,
  isMethod: boolean,
  argumentCount: number,
): readonly Overload[] {
  return (overloads().get(name) ?? []).filter(
    (each) => each.isMethod === isMethod && each.parameters.length === argumentCount,
  );
}

export function isKnownFunction(name: string): boolean {
  return overloads().has(name);
}

/** Read from the tables once, when the first expression appears. */
function overloads(): ReadonlyMap<string, readonly Overload[]> {
  byName ??= Map.groupBy(libraries.flatMap(readLibrary), ({ name }) => name);
  return byName;
}

const libraries = [
  operatorLibrary,
  conversionLibrary,
  timeLibrary,
  stringLibrary,
  listLibrary,
  setLibrary,
  optionalLibrary,
  urlLibrary,
  addressLibrary,
  quantityLibrary,
  semverLibrary,
  formatLibrary,
  authorizationLibrary,
  jsonPatchLibrary,
];
