import type { Impersonation } from "./connection-settings.ts";
import type { OutgoingHeaders } from "./exchange.ts";

/** The headers by which a user acts as another. */
export function impersonationHeaders(impersonate: Impersonation | undefined): OutgoingHeaders {
  if (impersonate === undefined) return {};
  const headers: Record<string, string | string[]> = {};
  if (impersonate.user !== undefined) headers["impersonate-user"] = impersonate.user;
  if (impersonate.uid !== undefined) headers["impersonate-uid"] = impersonate.uid;
  if (impersonate.groups.length > 0) headers["impersonate-group"] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra)) {
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = [...values];
  }
  return headers;
}
