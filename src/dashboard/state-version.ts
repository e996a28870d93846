import { createHash } from "node:crypto";
import type { KubernetesObject } from "../objects/index.ts";

/** A short text that is another one as soon as any of these objects is. */
export function stateVersion(objects: Iterable<KubernetesObject>, also = ""): string {
  const hash = createHash("sha256").update(also);
  for (const { metadata } of objects)
    hash.update(`${metadata.uid ?? ""} ${metadata.resourceVersion ?? ""}\n`);
  return hash.digest("base64url").slice(0, 16);
}
