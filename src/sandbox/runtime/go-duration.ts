/** Writes a duration as Kubernetes' messages have it: `10s`, `2m40s`, `5m0s`. */
export function goDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const parts = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : "";
  return `${parts}${seconds % 60}s`;
}
