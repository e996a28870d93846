import { changedKeys } from "../json/index.ts";
import { type KubernetesObject, withoutOwners } from "../objects/index.ts";
import type { Schema } from "../schema/index.ts";
import { type Comparison, compareWithLive } from "./compare-with-live.ts";
import { isLeftAsItIs } from "./keep-annotations.ts";
import { type ApplyNode, hasOpenHoles } from "./plan.ts";
import { isProvisionedObject, recordOfObject } from "./provisioned-record.ts";

/** A node whose object is live, with what an apply does to it. */
export function comparedNode(
  node: ApplyNode,
  found: KubernetesObject,
  {
    schemaOf,
    manager,
  }: {
    readonly schemaOf: (apiVersion: string, kind: string) => Schema | undefined;
    readonly manager: string;
  },
): ApplyNode {
  const { object } = node;
  // A record of something that was never made, or is gone.
  if (isProvisionedObject(found) && recordOfObject(found)?.status?.id === undefined)
    return { ...node, action: "create" };
  // What is filled in later cannot be compared now.
  const comparison =
    hasOpenHoles(node) && !isLeftAsItIs(object, found)
      ? "unsure"
      : isProvisionedObject(object)
        ? compareRecords(object, found)
        : compareWithLive(object, found, schemaOf(object.apiVersion, object.kind), manager);
  return comparison === "same"
    ? { ...node, live: withoutOwners(found), action: "unchanged" }
    : { ...node, live: found, action: "update", message: unfinished(found) };
}

/** What a record says of its resource that its inputs do not. */
function unfinished(found: KubernetesObject): string | undefined {
  const status = isProvisionedObject(found) ? recordOfObject(found)?.status : undefined;
  if (status === undefined) return undefined;
  const { phase, drifted = [], replaced = [] } = status;
  if (drifted.length > 0) return `changed outside: ${drifted.join(", ")}`;
  if (replaced.length > 0) return "what it replaced is still to be deleted";
  return phase === "Ready" ? undefined : `the last run left it in the phase ${phase}`;
}

/** Whether what is recorded is what is wished for, and nothing is left over from before. */
export function compareRecords(wanted: KubernetesObject, found: KubernetesObject): Comparison {
  const [next, before] = [recordOfObject(wanted), recordOfObject(found)];
  const status = before?.status;
  const isSettled =
    status?.phase === "Ready" &&
    status.id !== undefined &&
    [...(status.replaced ?? []), ...(status.drifted ?? [])].length === 0;
  if (next === undefined || !isSettled) return "different";
  const isSame =
    changedKeys(status.inputs ?? {}, next.spec.inputs).length === 0 &&
    before?.spec.name === next.spec.name &&
    before?.spec.deletionPolicy === next.spec.deletionPolicy &&
    before?.spec.protect === next.spec.protect &&
    (["create", "update", "delete"] as const).every(
      (key) => before?.spec.timeouts?.[key] === next.spec.timeouts?.[key],
    );
  return isSame ? "same" : "different";
}
