import type { BlueprintGroup, Family } from "../groups.ts";

/** What earlier steps emit, and the parameters: there only once a step is about to be realized. */
export const emittedRoots = ["sources", "images", "configs", "params"] as const;

/** What the key of a requirement may begin with. */
export function keyRoots(
  group: BlueprintGroup,
  { ownerName }: Family,
  place: "blueprint" | "option",
): readonly string[] {
  return [
    ownerName,
    ...(group === "carto.run" ? ["spec", "metadata"] : []),
    ...(place === "option" ? emittedRoots : []),
  ];
}
