import { isJsonObject, type JsonValue } from "../json/index.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListType } from "./type-node.ts";

/** The step to an item of a list whose items have owners, or why there is none. */
export type ItemElement =
  | { readonly kind: "element"; readonly element: PathElement }
  | { readonly kind: "problem"; readonly message: string };

export function itemElement(list: ListType, item: JsonValue): ItemElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** The step to an item, or undefined when it has none. */
export function itemElementOrNone(list: ListType, item: JsonValue): PathElement | undefined {
  const result = itemElement(list, item);
  return result.kind === "element" ? result.element : undefined;
}

function keyedElement(list: ListType, item: JsonValue): ItemElement {
  if (item === null) return problem("associative list with keys may not have a null element");
  if (!isJsonObject(item)) {
    return problem("associative list with keys may not have non-map elements");
  }
  const keys: [string, JsonValue][] = [];
  for (const key of list.keys) {
    // A key that is left out has its default; without one, the item is another than with any value.
    const value = Object.hasOwn(item, key) ? item[key] : list.element.map?.fields.get(key)?.default;
    if (value !== undefined) keys.push([key, value]);
  }
  if (keys.length === 0) {
    const names = `[${list.keys.map((key) => JSON.stringify(key)).join(" ")}]`;
    return problem(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    );
  }
  return { kind: "element", element: keyElement(keys) };
}

function setElement(item: JsonValue): ItemElement {
  if (item === null) {
    return problem("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    return problem("not supported: associative list with lists as elements");
  }
  if (typeof item === "object") {
    return problem("associative list without keys has an element that's a map type");
  }
  return { kind: "element", element: valueElement(item) };
}

function problem(message: string): ItemElement {
  return { kind: "problem", message };
}
