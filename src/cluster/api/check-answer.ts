import { isJsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { RequestPurpose } from "./api-error.ts";
import type { ApiResource } from "./api-resource.ts";
import { describePurpose } from "./describe-status.ts";
import { unexpectedValue } from "./unexpected-answer.ts";

/**
 * An answer as the object that was asked for: of the kind, and of the name where one was given. Everything
 * else is refused here, because nobody behind this point expects an object without metadata.
 */
export function checkedObject(
  value: unknown,
  purpose: RequestPurpose,
  resource: ApiResource,
): KubernetesObject {
  const expected = `a ${resource.kind}`;
  if (!isObject(value) || value.kind !== resource.kind)
    throw unexpectedValue(describePurpose(purpose), value, expected);
  if ((purpose.name ?? "") !== "" && value.metadata.name !== purpose.name)
    throw unexpectedValue(describePurpose(purpose), value, `${expected} of this name`);
  return value;
}

/** The answer of a subresource, which has a kind of its own. */
export function checkedPart(value: unknown, purpose: RequestPurpose): KubernetesObject {
  if (isObject(value)) return value;
  throw unexpectedValue(describePurpose(purpose), value, "an object");
}

/** What a page of a list holds. */
export interface CheckedList {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
  readonly next: string | undefined;
}

/**
 * An answer as a list. Servers written in Go say null for a list without items; a list in which items are
 * not even mentioned was cut on its way, and does not mean that there are none.
 */
export function checkedList(value: unknown, purpose: RequestPurpose): CheckedList {
  const refuse = (expected: string): never => {
    throw unexpectedValue(describePurpose(purpose), value, expected);
  };
  if (!isJsonObject(value) || typeof value["kind"] !== "string" || !value["kind"].endsWith("List"))
    return refuse("a list");
  const { metadata } = value;
  const items: unknown = value["items"];
  if (!isJsonObject(metadata) || !(items === null || Array.isArray(items)))
    return refuse("a list with its items");
  const found: readonly unknown[] = items ?? [];
  if (!found.every(isNamed)) return refuse("a list of objects");
  const { resourceVersion, continue: next } = metadata;
  return {
    items: found,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    next: typeof next === "string" && next !== "" ? next : undefined,
  };
}

/** Objects in a list come without apiVersion and kind. */
export function isNamed(value: unknown): value is KubernetesObject {
  if (!isJsonObject(value) || !isJsonObject(value["metadata"])) return false;
  const { name } = value["metadata"];
  return typeof name === "string" && name !== "";
}

function isObject(value: unknown): value is KubernetesObject {
  return (
    isJsonObject(value) && typeof value["kind"] === "string" && isJsonObject(value["metadata"])
  );
}
