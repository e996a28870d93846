import { compareQuantities } from "../../schema/index.ts";
import { selects } from "../api/object-selector.ts";
import { type Claim, type PersistentVolume, isFor, requestOf } from "./volume-types.ts";

/** The smallest volume that a claim can have; one that was reserved for it comes first. */
export function matchVolume(
  claim: Claim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const { volumeName = "" } = claim.spec;
  if (volumeName !== "") {
    const named = volumes.find(({ metadata }) => metadata.name === volumeName);
    const isFree = named?.spec.claimRef === undefined || isFor(named, claim);
    return named !== undefined && isFree && isGoingOn(named) ? named : undefined;
  }
  const reserved = volumes.find(
    (volume) => volume.spec.claimRef !== undefined && isFor(volume, claim) && isGoingOn(volume),
  );
  if (reserved !== undefined) return reserved;
  const fitting = volumes.filter((volume) => isGoingOn(volume) && fits(claim, volume));
  fitting.sort((left, right) => compareQuantities(sizeOf(left), sizeOf(right)) ?? 0);
  return fitting[0];
}

function isGoingOn({ metadata, status }: PersistentVolume): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== "Released";
}

function fits({ spec, ...claim }: Claim, volume: PersistentVolume): boolean {
  const offered = volume.spec;
  if (offered.claimRef !== undefined) return false;
  if ((offered.storageClassName ?? "") !== (spec.storageClassName ?? "")) return false;
  if ((offered.volumeMode ?? "Filesystem") !== (spec.volumeMode ?? "Filesystem")) return false;
  const modes = spec.accessModes ?? [];
  if (!modes.every((mode) => offered.accessModes?.includes(mode) === true)) return false;
  if (spec.selector !== undefined && !selects(spec.selector, volume.metadata.labels)) return false;
  return (compareQuantities(sizeOf(volume), requestOf({ spec, ...claim })) ?? -1) >= 0;
}

function sizeOf({ spec }: PersistentVolume): string {
  return spec.capacity?.["storage"] ?? "0";
}
