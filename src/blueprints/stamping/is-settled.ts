import { isJsonObject, type JsonValue, type KubernetesObject } from "../../objects/index.ts";
import { digestOf } from "./digest.ts";
import { digestAnnotation } from "./stamp-labels.ts";
import type { Stamped } from "./stamp-object.ts";

/**
 * Whether the object in the cluster is what was stamped, so that it need not be written again: it
 * carries the fingerprint of what is wanted, and nobody has changed what we set. The server may
 * write values in another form than we do; how it answered our last write is therefore as good as
 * what we asked for.
 */
export function isSettled(
  wanted: Stamped,
  live: KubernetesObject,
  /** The fingerprints of the answers to our writes, by uid. */
  accepted: ReadonlyMap<string, string>,
): boolean {
  if (live.metadata.annotations?.[digestAnnotation] !== wanted.digest) return false;
  const answer = accepted.get(live.metadata.uid ?? "");
  return (
    covers(live as unknown as JsonValue, wanted.object as unknown as JsonValue) ||
    (answer !== undefined && answer === acceptedDigest(live))
  );
}

/** The fingerprint of an object without what controllers and the server change by themselves. */
export function acceptedDigest(object: KubernetesObject): string {
  const { status: _status, metadata, ...rest } = object;
  const { labels, annotations, ownerReferences } = metadata;
  return digestOf({ ...rest, labels, annotations, ownerReferences });
}

/** Whether a value has everything that another says; it may have more fields, not more items. */
function covers(live: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => covers(live[index], item))
    );
  if (isJsonObject(wanted))
    return (
      isJsonObject(live) &&
      Object.entries(wanted).every(([key, value]) => value === null || covers(live[key], value))
    );
  return live === wanted;
}
