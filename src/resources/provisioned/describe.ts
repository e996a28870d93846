import { type Deferred, partsOf } from "./deferred.ts";
import { propertyPath, type Origin } from "./origin.ts";
import { directOrigins } from "./origins-of.ts";

/** `Bucket "logs".arn`: the resource and the property, as a message names them. */
export function describeOrigin({ resource, path }: Origin): string {
  if (path.length === 0) return resource.label;
  const [first] = path;
  const joint = typeof first === "number" || /^\d+$/.test(first ?? "") ? "" : ".";
  return `${resource.label}${joint}${propertyPath(path)}`;
}

export function describeDeferred(deferred: Deferred): string {
  if (deferred.kind === "property") return describeOrigin(deferred.origin);
  const origins = directOrigins(deferred).map(describeOrigin);
  const last = origins.pop();
  const list = origins.length === 0 ? last : `${origins.join(", ")} and ${last}`;
  return `a value computed from ${list ?? "nothing"}`;
}

/** The text of a deferred value as far as it is known: `http://(known after apply)/index`. */
export function previewDeferred(deferred: Deferred): string {
  if (deferred.kind !== "text" && deferred.kind !== "sum") return "(known after apply)";
  return partsOf(deferred)
    .map((part) => (typeof part === "function" ? "(known after apply)" : String(part)))
    .join("");
}
