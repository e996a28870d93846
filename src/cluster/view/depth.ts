import { type KubernetesObject, maskSecrets } from "../../objects/index.ts";

/**
 * How much of each object a watch keeps:
 * - `full`: all that the server sends
 * - `object`: all but managed fields, which are half of its size
 * - `masked`: the same without the values of Secrets, for those who only look
 * - `metadata`: only metadata is asked for and kept
 * - a function: what it returns
 */
export type Depth = "full" | "object" | "masked" | "metadata" | Keep;

type Keep = (object: KubernetesObject) => KubernetesObject;

/** The deeper depths that serve each depth as well. */
const servedBy: Readonly<Record<string, readonly Depth[]>> = {
  metadata: ["masked", "object", "full"],
  masked: ["object", "full"],
  object: ["full"],
};

/** Whether a watch of one depth can serve somebody who asked for another. */
export function servesDepth(kept: Depth, wanted: Depth): boolean {
  if (kept === wanted) return true;
  return typeof wanted === "string" && (servedBy[wanted]?.includes(kept) ?? false);
}

/** What somebody sees of objects that are kept deeper: more is no harm, unless it is secret. */
export function projectionOf(kept: Depth, wanted: Depth): Keep {
  if (kept === wanted || wanted !== "masked") return (object) => object;
  const keep = keepOf(wanted);
  const masked = new WeakMap<KubernetesObject, KubernetesObject>();
  return (object) => {
    const known = masked.get(object) ?? keep(object);
    masked.set(object, known);
    return known;
  };
}

export function keepOf(depth: Depth): Keep {
  switch (depth) {
    case "full":
      return (object) => object;
    case "object":
      return withoutManagedFields;
    case "masked":
      return (object) => maskSecrets(withoutManagedFields(object));
    case "metadata":
      return ({ apiVersion, kind, metadata: { managedFields: _dropped, ...metadata } }) => ({
        apiVersion,
        kind,
        metadata,
      });
    default:
      return depth;
  }
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
