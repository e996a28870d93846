import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Family } from "../groups.ts";
import type { Subject } from "../requirements/judge.ts";

/** The owner as requirements see it: under its own name, and by its parts, as both groups spell it. */
export function ownerSubject(
  owner: KubernetesObject,
  { ownerName }: Family,
  emitted: JsonObject = {},
  isUnknown?: Subject["isUnknown"],
): Subject {
  const value = owner as unknown as JsonObject;
  return {
    labels: owner.metadata.labels ?? {},
    root: {
      ...emitted,
      [ownerName]: value,
      spec: value["spec"] ?? null,
      metadata: value["metadata"] as JsonValue,
    },
    isUnknown,
  };
}
