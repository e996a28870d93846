/** How much is read before giving up; an input beyond it is hardly the one that was meant. */
export interface ReadLimits {
  readonly mostBytesOfFile: number;
  readonly mostBytes: number;
  readonly mostFiles: number;
}

const mebibyte = 1024 * 1024;

export const defaultReadLimits: ReadLimits = {
  mostBytesOfFile: 64 * mebibyte,
  mostBytes: 256 * mebibyte,
  mostFiles: 50_000,
};

/** A size as a person reads it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < mebibyte
    ? `${Math.round(bytes / 1024)} KiB`
    : `${Math.round(bytes / mebibyte)} MiB`;
}
