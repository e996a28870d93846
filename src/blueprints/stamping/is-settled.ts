import { isJsonObject, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { digestOf } from "./digest.ts";
import { digestAnnotation } from "./stamp-labels.ts";
import type { Stamped } from "./stamp-object.ts";

/** How the server answered a write of ours. */
export interface Accepted {
  /** The fingerprint of what we asked for. */
  readonly wanted: string;
  /** The fingerprint of what the object was then. */
  readonly answer: string;
}

/**
 * Whether the object in the cluster is what was stamped, so that it need not be written again: it
 * carries the fingerprint of what is wanted, and nobody has changed what we set. The server may write
 * values in another form than we do, and others may change what is written; how it answered our last
 * write is therefore as good as what we asked for.
 */
export function isSettled(
  wanted: Stamped,
  live: KubernetesObject,
  /** The answers to our writes, by uid. */
  accepted: ReadonlyMap<string, Accepted>,
): boolean {
  const known = accepted.get(live.metadata.uid ?? "");
  if (known?.wanted === wanted.digest && known.answer === fingerprint(live)) return true;
  return (
    live.metadata.annotations?.[digestAnnotation] === wanted.digest &&
    covers(live as unknown as JsonValue, wanted.object as unknown as JsonValue)
  );
}

/** What is to be remembered of the answer to a write. */
export function acceptedBy(written: KubernetesObject, answer: KubernetesObject): Accepted {
  return {
    wanted: written.metadata.annotations?.[digestAnnotation] ?? "",
    answer: fingerprint(answer),
  };
}

/** The fingerprint of an object without what controllers and the server change by themselves. */
function fingerprint(object: KubernetesObject): string {
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
