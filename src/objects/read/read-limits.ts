/** How much is read before giving up; an input beyond it is hardly the one that was meant. */
export interface ReadLimits {
  readonly mostBytesOfFile: number;
  readonly mostBytes: number;
  /** Values of all documents together: each takes far more memory than its text. */
  readonly mostValues: number;
  readonly mostFiles: number;
}

const mebibyte = 1024 * 1024;

export const defaultReadLimits: ReadLimits = {
  mostBytesOfFile: 64 * mebibyte,
  mostBytes: 256 * mebibyte,
  mostValues: 10_000_000,
  mostFiles: 50_000,
};

/** A size as a person reads it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < mebibyte
    ? `${Math.round(bytes / 1024)} KiB`
    : `${Math.round(bytes / mebibyte)} MiB`;
}
