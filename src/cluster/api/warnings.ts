const warning = /(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"/g;

/** The texts of a Warning header, which may hold several (RFC 7234). */
export function readWarnings(header: string): readonly string[] {
  return [...header.matchAll(warning)].map(([, , , text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
}
