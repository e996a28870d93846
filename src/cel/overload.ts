import { type CelType, readType } from "./cel-type.ts";
import type { CostMeter } from "./meter.ts";
import type { CelValue } from "./values.ts";

/** One signature of a function and what it does. A method's receiver is its first argument. */
export interface Overload {
  readonly name: string;
  readonly isMethod: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly call: (args: readonly CelValue[], meter: CostMeter) => CelValue;
}

/** Signatures as they read in documentation, each with its implementation. */
export type Library = Readonly<Record<string, (...args: never[]) => CelValue>>;

/**
 * The overloads of a library. A signature is `name(int, list(T)) -> T`, or `string.name(int) -> int`
 * for a method; the implementation gets the arguments and then the meter.
 */
export function readLibrary(library: Library): readonly Overload[] {
  return Object.entries(library).map(([signature, implementation]) => {
    const [, receiver = "", name = "", list = "", result = ""] =
      /^(?:\[(.*)\]\.)?([\w.@]+|[!-]_|_[^(]+_|_\[_\]|@in)\((.*)\) -> (.*)$/.exec(signature) ?? [];
    if (name === "") throw new Error(`not a signature: ${signature}`);
    const parameters = [...(receiver === "" ? [] : [receiver]), ...splitTypes(list)].map(readType);
    const call = implementation as (...args: (CelValue | CostMeter)[]) => CelValue;
    return {
      name,
      isMethod: receiver !== "",
      parameters,
      result: readType(result),
      call: (args, meter) => call(...args, meter),
    };
  });
}

function splitTypes(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const letter of list.replaceAll(" ", "")) {
    if (letter === "," && depth === 0) {
      parts.push(part);
      part = "";
      continue;
    }
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    part += letter;
  }
  return part === "" ? parts : [...parts, part];
}
