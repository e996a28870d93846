/** Reads a port; throws what is wrong. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SyntaxError(`${JSON.stringify(text)} is no port; ports are 0 to 65535, 0 for any`);
}
