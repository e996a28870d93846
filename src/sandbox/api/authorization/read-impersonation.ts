import type { ImpersonatedUser } from "./impersonate.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const extraPrefix = "impersonate-extra-";

/** Whom the headers of a request ask to be taken for; undefined for most requests. */
export function readImpersonation(headers: Headers): ImpersonatedUser | undefined {
  const user = valuesOf(headers, "impersonate-user")[0] ?? "";
  const groups = valuesOf(headers, "impersonate-group");
  const uid = valuesOf(headers, "impersonate-uid")[0] ?? "";
  const extra = Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name.startsWith(extraPrefix))
      .map((name) => [decodeURIComponent(name.slice(extraPrefix.length)), valuesOf(headers, name)]),
  );
  const isAsked = user !== "" || groups.length > 0 || uid !== "" || Object.keys(extra).length > 0;
  return isAsked ? { user, groups, uid, extra } : undefined;
}

/** Node joins repeated headers by commas, which names of groups do not contain. */
function valuesOf(headers: Headers, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  const texts = typeof value === "string" ? value.split(",") : value;
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
