import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { ListValue, mapFromEntries, OpaqueValue } from "../values.ts";

interface Url {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** Absolute URLs and paths, as in the first line of a request. */
export const urlLibrary: Library = {
  "url(string) -> kubernetes.URL": (text: string) => {
    const url = readUrl(text);
    return url === undefined
      ? celFailure(
          `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
        )
      : new OpaqueValue("kubernetes.URL", text, url);
  },
  "isURL(string) -> bool": (text: string) => readUrl(text) !== undefined,
  "[kubernetes.URL].getScheme() -> string": (url: OpaqueValue) => contentOf(url).scheme,
  "[kubernetes.URL].getHost() -> string": (url: OpaqueValue) => contentOf(url).host,
  "[kubernetes.URL].getHostname() -> string": (url: OpaqueValue) =>
    contentOf(url)
      .host.replace(/:\d*$/, "")
      .replace(/^\[(.*)\]$/, "$1"),
  "[kubernetes.URL].getPort() -> string": (url: OpaqueValue) =>
    /:(\d*)$/.exec(contentOf(url).host)?.[1] ?? "",
  "[kubernetes.URL].getEscapedPath() -> string": (url: OpaqueValue) => contentOf(url).path,
  "[kubernetes.URL].getQuery() -> map(string, list(string))": (url: OpaqueValue) => {
    const values = new Map<string, string[]>();
    for (const [key, value] of new URLSearchParams(contentOf(url).query)) {
      values.set(key, [...(values.get(key) ?? []), value]);
    }
    return mapFromEntries([...values].map(([key, list]) => [key, ListValue.of(list)] as const));
  },
};

function contentOf(value: OpaqueValue): Url {
  return value.content as Url;
}

function readUrl(text: string): Url | undefined {
  // oxlint-disable-next-line no-control-regex
  if (text === "" || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const [, scheme = "", rest = ""] = /^(?:([a-zA-Z][a-zA-Z\d+.-]*):)?(.*)$/s.exec(text) ?? [];
  if (scheme === "" && !rest.startsWith("/")) return undefined;
  const [before = "", query = ""] = splitOnce(rest, "?");
  if (!before.startsWith("/")) return { scheme: scheme.toLowerCase(), host: "", path: "", query };
  let host = "";
  let path = before;
  if (scheme !== "" && before.startsWith("//")) {
    const [, authority = "", tail = ""] = /^\/\/([^/]*)(.*)$/s.exec(before) ?? [];
    host = authority.slice(authority.lastIndexOf("@") + 1);
    path = tail;
    if (!isHost(host)) return undefined;
  }
  if (/%(?![\da-fA-F]{2})/.test(path)) return undefined;
  return { scheme: scheme.toLowerCase(), host, path: escapePath(path), query };
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return /^\[[\da-fA-F:.%\w]+\](?::\d*)?$/.test(host);
  return /^[^\s<>"[\]^`{|}\\:%]*(?::\d*)?$/.test(host);
}

function escapePath(path: string): string {
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%[\]]/gu, encodeURIComponent);
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
