import { type Place, shortTextAt } from "../place.ts";
import type { Use } from "./check.ts";

const choices: ReadonlySet<Use> = new Set(["if", "conditional", "and", "or", "nullish", "not"]);
const lists: ReadonlySet<Use> = new Set(["loop", "keys", "spread", "destructure"]);

/** What to write instead, in the words of the program where they are short. */
export function wayOut(use: Use, place: Place): string {
  // The place of a default or a sum is wider than the value itself.
  const value =
    use === "default" || use === "arithmetic" ? "value" : (shortTextAt(place) ?? "value");
  if (choices.has(use)) return `choose between two values: when(${value}, a, b)`;
  if (lists.has(use)) return `make a list of values: each(${value}, (item) => …)`;
  if (use === "await") return `use it as it is, or compute: output(${value}).map((value) => …)`;
  return `compute from it when it is known: output(${value}).map((value) => …)`;
}
