import type { KubernetesObject } from "../../../objects/index.ts";
import type { CellsOf } from "./column.ts";

/** A row that begins with the name of its object and ends with its age. */
export function aged(cells: (object: KubernetesObject) => readonly unknown[]): CellsOf {
  return (object, now) => [object.metadata.name, ...cells(object), ageOf(object, now)];
}

/** How long ago an object was made. */
export function ageOf({ metadata }: KubernetesObject, now: number): string {
  return timeSince(metadata.creationTimestamp, now);
}

/** How long ago, in the words of kubectl: `5s`, `3m20s`, `2d4h`. */
export function timeSince(time: unknown, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  return humanDuration(now - Date.parse(time));
}

export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return twoUnits(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return twoUnits(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return twoUnits(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  return days < 2920
    ? twoUnits(Math.floor(days / 365), "y", days % 365, "d")
    : `${Math.floor(days / 365)}y`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
