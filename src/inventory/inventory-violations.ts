import { formatIdentity, identityKey } from "../objects/index.ts";
import type { Inventory } from "./inventory.ts";

/**
 * What is wrong with an inventory, in words; nothing when it is valid. It must hold at every moment: an
 * object is named once, completely, and every part says whose it is.
 */
export function inventoryViolations({ parts, reference, liveId }: Inventory): readonly string[] {
  const violations: string[] = [];
  const seen = new Map<string, string>();
  for (const part of parts) {
    for (const entry of part.entries) {
      if (entry.kind === "" || entry.name === "")
        violations.push(`${part.name}: an entry without kind or name`);
      const key = identityKey(entry);
      const before = seen.get(key);
      if (before !== undefined)
        violations.push(`${formatIdentity(entry)} stands in ${before} and in ${part.name}`);
      seen.set(key, part.name);
    }
  }
  if (parts.length > 0 && parts[0]?.name !== reference.name)
    violations.push(`the first part is not ${reference.name}`);
  if (parts.length > 0 && (liveId ?? "") === "")
    violations.push(`${reference.name} has no inventory id`);
  return violations;
}
