import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownField,
  setField,
} from "../../json/index.ts";
import type { JsonPath } from "../../objects/index.ts";

type Step = Extract<JsonPath["parts"][number], { kind: "action" }>["steps"][number];

/**
 * Sets the value that a path leads to, and makes what is missing on the way; false where that cannot
 * be done, because the path leads to many places, or through a value that has no such member.
 */
export function placeValue(root: JsonObject, { parts }: JsonPath, value: JsonValue): boolean {
  const [only, ...more] = parts;
  if (only?.kind !== "action" || more.length > 0) return false;
  return place(root, flatten(only.steps), value);
}

/** A key in quotes is a union of one. */
function flatten(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => {
    const [only, ...more] = step.kind === "union" ? step.branches : [];
    return only === undefined || more.length > 0 ? [step] : flatten(only);
  });
}

function place(holder: JsonValue, steps: readonly Step[], value: JsonValue): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return false;
  switch (step.kind) {
    case "field":
      return isJsonObject(holder) && placeMember(holder, step.name, rest, value);
    case "slice":
      if (!step.slice.single || !Array.isArray(holder)) return false;
      return (
        (step.slice.start ?? 0) <= holder.length &&
        placeItem(holder, step.slice.start ?? 0, rest, value)
      );
    case "filter":
      return Array.isArray(holder) && placeMatching(holder, step, rest, value);
    case "literal":
    case "recursive":
    case "union":
    case "wildcard":
      return false;
  }
}

function placeMember(
  holder: JsonObject,
  name: string,
  rest: readonly Step[],
  value: JsonValue,
): boolean {
  if (rest.length === 0) {
    const known = ownField(holder, name);
    // What is below it was set already, so that it is there.
    if (isJsonObject(known) && isJsonObject(value) && Object.keys(value).length === 0) return true;
    if (known !== undefined) return false;
    setField(holder, name, value);
    return true;
  }
  const below = ownField(holder, name) ?? emptyFor(rest);
  setField(holder, name, below);
  return place(below, rest, value);
}

function placeItem(
  holder: JsonValue[],
  index: number,
  rest: readonly Step[],
  value: JsonValue,
): boolean {
  if (rest.length === 0) {
    if (holder[index] !== undefined) return false;
    holder[index] = value;
    return true;
  }
  holder[index] ??= emptyFor(rest);
  return place(holder[index] ?? null, rest, value);
}

/** An item that passes the filter: `[?(@.name=="x")]` wants one whose name is x. */
function placeMatching(
  holder: JsonValue[],
  { filter }: Extract<Step, { kind: "filter" }>,
  rest: readonly Step[],
  value: JsonValue,
): boolean {
  if (filter.kind !== "compare" || filter.operator !== "==") return false;
  const [field, ...deeper] = filter.left;
  const [literal] = filter.right;
  if (field?.kind !== "field" || deeper.length > 0 || literal?.kind !== "literal") return false;
  let item = holder.find((each) => isJsonObject(each) && each[field.name] === literal.value);
  if (item === undefined) {
    item = { [field.name]: literal.value };
    holder.push(item);
  }
  return rest.length > 0 && place(item, rest, value);
}

function emptyFor([next]: readonly Step[]): JsonValue {
  return next?.kind === "slice" || next?.kind === "filter" ? [] : {};
}
