import { createHash } from "node:crypto";

/** A short text for the name of a resource, the same for the same name. */
export function resourceHash(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 8);
}
