import type { Headers } from "./transport.ts";

/** Headers as one string each; the pseudo headers of HTTP/2 are left out. */
export function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    plain[name] = typeof value === "string" ? value : value.join(", ");
  }
  return plain;
}
