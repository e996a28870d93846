import { equalValues, fieldAt, type JsonValue } from "../json/index.ts";
import type { FieldPath } from "../objects/index.ts";
import type { Schema } from "../schema/index.ts";
import { mergedWith } from "./compare-with-live.ts";
import { hasOpenHoles, type PlanNode } from "./plan.ts";
import { isProvisionedObject } from "./provisioned-record.ts";

/**
 * Whether a field of an object is after a run what it is now: nothing changes the object, or the change
 * does not touch the field. What the server or a provider decides on is never settled.
 */
export function isFieldSettled(
  node: PlanNode | undefined,
  path: FieldPath,
  schemaOf: (apiVersion: string, kind: string) => Schema | undefined,
  manager: string,
): boolean {
  if (node?.action === "unchanged") return true;
  if (node?.kind !== "apply" || node.action !== "update") return false;
  const { object, live, replacement } = node;
  if (live === undefined || replacement !== undefined || isProvisionedObject(object)) return false;
  const [first, second] = path;
  if (first === undefined || first === "status") return false;
  if (first === "apiVersion" || first === "kind") return true;
  if (first === "metadata" && (second === "name" || second === "namespace" || second === "uid"))
    return (node.resource?.objectName?.naming ?? "fixed") === "fixed";
  if (first === "metadata" || hasOpenHoles(node)) return false;
  const schema = schemaOf(object.apiVersion, object.kind);
  const after = schema === undefined ? undefined : mergedWith(object, live, schema, manager);
  if (after === undefined) return false;
  const [found, expected] = [fieldAt(live, ...path), fieldAt(after, ...path)];
  return equalValues(found as JsonValue | undefined, expected as JsonValue | undefined);
}
