import type { OwnerView } from "../../src/dashboard/chain-view.ts";

/** What the view of owners is called, by what there is in it. */
export function chainsName(owners: readonly OwnerView[]): string {
  const hasBundles = owners.some(({ isBundle }) => isBundle);
  if (!hasBundles) return "Supply chains";
  return owners.every(({ isBundle }) => isBundle) ? "Bundles" : "Chains and bundles";
}
